/**
 * Checks a key. Keys contain names of models, tasks and files that a harness chose. A key that leaves a directory store,
 * or that S3 clients would normalize, is a bug of the caller and therefore refused, not corrected.
 * @returns the key @throws RangeError
 */
export function checkKey(key: string): string {
  const segments = key.split('/');
  const bad =
    segments.some((part) => part === '' || part === '.' || part === '..') || hasControl(key) || key.length > 900;
  if (bad) throw new RangeError(`invalid object key: ${JSON.stringify(key.slice(0, 200))}`);
  return key;
}

function hasControl(key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    if (code < 0x20 || code === 0x7f || code === 0x5c) return true;
  }
  return false;
}

/** The prefix with exactly one trailing slash, or empty. */
export function normalPrefix(prefix: string): string {
  const inner = prefix.split('/').filter((part) => part !== '');
  return inner.length === 0 ? '' : `${checkKey(inner.join('/'))}/`;
}

/** Byte order, as in S3 lists; JavaScript's default order differs outside the Basic Multilingual Plane. */
export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
