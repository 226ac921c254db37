import { fstatSync, readSync } from 'node:fs';

/** The first bytes of an open file, `most` or as many as there are, and no larger buffer than that. */
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
