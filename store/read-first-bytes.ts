import { fstatSync, readSync } from 'node:fs';

/** Reads at most `most` bytes from the beginning of an open file, with a buffer of that size. */
export function readFirst(file: number, most: number): Uint8Array {
  const buffer = Buffer.allocUnsafe(Math.min(most, fstatSync(file).size));
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
