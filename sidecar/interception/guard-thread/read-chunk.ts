const NUL = 0;
const CLOSING_BRACE = 0x7d;

/**
 * Waits for bytes from the browser. Chromium writes a message and the NUL behind it in two writes: bytes that end with a
 * brace are most likely a whole message whose NUL follows at once, and a whole message is cheaper to read.
 * @param read waits for bytes, stores them at `offset` and returns how many; 0 at the end of the stream.
 * @returns how many bytes came; 0 when the browser has closed its end. @throws as `read` does.
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
