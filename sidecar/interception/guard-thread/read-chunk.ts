const NUL = 0;
const CLOSING_BRACE = 0x7d;

/**
 * Waits for bytes of the browser. Chromium writes a message and the NUL behind it one after the other: what ends with a
 * brace is most likely a whole message whose NUL is on its way, and a whole message is the cheaper one to read.
 * @param read waits for bytes, puts them behind `offset` and answers how many; 0 at the end.
 * @returns how many came; 0 when the browser has closed its end. @throws as `read` does.
 */
export function readChunk(bytes: Buffer, read: (into: Buffer, offset: number) => number): number {
  let count = read(bytes, 0);
  while (count > 0 && count < bytes.length && bytes[count - 1] === CLOSING_BRACE) {
    const more = read(bytes, count);
    if (more === 0) break;
    count += more;
    if (bytes[count - 1] === NUL) break;
  }
  return count;
}
