import { readSync } from 'node:fs';

const NUL = 0;
const CLOSING_BRACE = 0x7d;

/**
 * Waits for bytes of the browser. Chromium writes a message and the NUL behind it one after the other: what ends with a
 * brace is most likely a whole message whose NUL is on its way, and a whole message is the cheaper one to read.
 * @returns how many came; 0 when the browser has closed its end. @throws as `readSync` does.
 */
export function readMessage(input: number, bytes: Buffer): number {
  let count = readSync(input, bytes, 0, bytes.length, null);
  while (count > 0 && count < bytes.length && bytes[count - 1] === CLOSING_BRACE) {
    const more = readSync(input, bytes, count, bytes.length - count, null);
    if (more === 0) break;
    count += more;
    if (bytes[count - 1] === NUL) break;
  }
  return count;
}
