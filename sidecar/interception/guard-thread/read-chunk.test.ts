import { expect, test } from 'vitest';
import { readChunk } from './read-chunk.ts';

/** @returns what one call reads from a pipe that delivers one piece per read, and how many reads it took. */
function readOf(pieces: readonly string[], size = 100): { readonly text: string; readonly reads: number } {
  const bytes = Buffer.alloc(size);
  let reads = 0;
  const count = readChunk(bytes, (into, offset) => {
    const piece = Buffer.from(pieces[reads] ?? '').subarray(0, into.length - offset);
    reads += 1;
    piece.copy(into, offset);
    return piece.length;
  });
  return { text: bytes.toString('latin1', 0, count), reads };
}

test.each<[string, string[], string, number]>([
  ['a message with its NUL', ['{"a":1}\0'], '{"a":1}\0', 1],
  ['a message whose NUL comes later', ['{"a":1}', '\0'], '{"a":1}\0', 2],
  ['a NUL that brings the next message', ['{"a":1}', '\0{"b"'], '{"a":1}\0{"b"', 2],
  ['a brace within a message', ['{"a":{}', ',"b":1', '}\0'], '{"a":{},"b":1', 2],
  ['a piece that cannot be a whole message', ['{"a":', '1}\0'], '{"a":', 1],
  ['an end of the stream after a brace', ['{"a":1}', ''], '{"a":1}', 2],
  ['an end of the stream', [''], '', 1],
])('%s', (_name, pieces, text, reads) => {
  expect(readOf(pieces)).toEqual({ text, reads });
});

test('a full buffer is returned as it is', () => {
  expect(readOf(['{"a":{}}', '\0'], 8)).toEqual({ text: '{"a":{}}', reads: 1 });
});
