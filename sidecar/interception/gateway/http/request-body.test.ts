import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyFraming } from './request-body.ts';

/** Feeds the text in pieces of this size. @returns how many bytes belong to the body; null when it was refused. */
function taken(framing: number | 'chunked', text: string, size = text.length): { count: number | null; done: boolean } {
  const reader = createBodyFraming(framing);
  let count = 0;
  for (let at = 0; at < text.length; at += size) {
    const piece = Buffer.from(text.slice(at, at + size), 'latin1');
    const part = reader.take(piece);
    if (part === null) return { count: null, done: false };
    count += part;
    if (part < piece.length) break;
  }
  return { count, done: reader.done };
}

const CHUNKED = '5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n';

test.each([1, 2, 3, 7, 1000])('a body ends where its framing ends, in pieces of %i', (size) => {
  expect(taken(5, 'helloGET /', size)).toEqual({ count: 5, done: true });
  expect(taken('chunked', `${CHUNKED}GET /`, size)).toEqual({ count: CHUNKED.length, done: true });
  expect(taken('chunked', CHUNKED.slice(0, -1), size)).toEqual({ count: CHUNKED.length - 1, done: false });
});

test('no body is done before it begins', () => {
  expect(taken(0, 'GET /')).toEqual({ count: 0, done: true });
});

test.each([
  ['an extension', '5;a=b\r\nhello\r\n0\r\n\r\n'],
  ['an extension on the last chunk', '5\r\nhello\r\n0;a\r\n\r\n'],
  ['a trailer', '0\r\nContent-Length: 5\r\n\r\n'],
  ['a space after the size', '5 \r\nhello\r\n0\r\n\r\n'],
  ['a space before the size', ' 5\r\nhello\r\n0\r\n\r\n'],
  ['a prefix', '0x5\r\nhello\r\n0\r\n\r\n'],
  ['a sign', '+5\r\nhello\r\n0\r\n\r\n'],
  ['no size', '\r\nhello\r\n0\r\n\r\n'],
  ['a size that wraps', '100000000000000005\r\nhello\r\n0\r\n\r\n'],
  ['a lone line feed after the size', '5\nhello\r\n0\r\n\r\n'],
  ['a lone line feed after the data', '5\r\nhello\n0\r\n\r\n'],
  ['data longer than said', '5\r\nhello!\r\n0\r\n\r\n'],
  ['a lone carriage return', '5\rxhello\r\n0\r\n\r\n'],
  ['a lone line feed at the end', '5\r\nhello\r\n0\r\n\n'],
])('%s is refused', (_name, text) => {
  expect(taken('chunked', text).count).toBeNull();
  expect(taken('chunked', text, 1).count).toBeNull();
});

test('the end of any body in any chunks is found', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 })), fc.nat(9), (chunks, size) => {
      const parts = chunks.map(
        (chunk) => `${chunk.length.toString(16)}\r\n${Buffer.from(chunk).toString('latin1')}\r\n`,
      );
      const text = `${parts.join('')}0\r\n\r\n`;
      expect(taken('chunked', `${text}POST /pay`, size + 1)).toEqual({ count: text.length, done: true });
    }),
  );
});
