/** JSON pointer (RFC 6901) to a path of keys and indexes; empty for the whole document. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
