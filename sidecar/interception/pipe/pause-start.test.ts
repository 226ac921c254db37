import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanHead } from './message-head.ts';
import { pausedMessage } from './pause.fixture.ts';
import { readPauseStart } from './pause-start.ts';

const plain = fc.string({ unit: fc.constantFrom(...'abzAZ09-._~:/?#[]@!$&()*+,;=%{} ') });
const any = fc.oneof(
  plain,
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\\"', '\u0000', 'ü', '","method":"'),
);

function message(requestId: string, url: string, method: string, fragment?: string): Buffer {
  return Buffer.from(
    pausedMessage({ requestId, url, method, ...(fragment === undefined ? {} : { fragment }), body: 'x' }),
  );
}

test('plain fields are read', () => {
  fc.assert(
    fc.property(plain, plain, plain, (requestId, url, method) => {
      expect(readPauseStart(message(requestId, url, method))).toEqual({ requestId, url, method });
    }),
  );
});

test('any fields are read correctly or not at all', () => {
  fc.assert(
    fc.property(any, any, any, fc.option(any, { nil: undefined }), (requestId, url, method, fragment) => {
      const start = readPauseStart(message(requestId, url, method, fragment));
      if (start !== null) expect(start).toEqual({ requestId, url, method });
    }),
    { numRuns: 1000 },
  );
});

test('any prefix of a message gives null or the same', () => {
  const whole = message('interception-job-1.0', 'https://shop.test/pay?a=1', 'POST');
  for (let length = 0; length < whole.length; length += 1) {
    const start = readPauseStart(whole.subarray(0, length));
    const scan = scanHead(whole.subarray(0, length));
    if (scan.kind === 'head') expect(start).not.toBeNull();
    if (start !== null) expect(start).toEqual(readPauseStart(whole));
  }
});

test.each([
  ['a reply', '{"id":1,"result":{}}'],
  ['another event', '{"method":"Target.targetCreated","params":{"requestId":"1","request":{"url":"x"}}}'],
  ['another order', '{"method":"Fetch.requestPaused","params":{"request":{"url":"x"},"requestId":"1"}}'],
  ['a URL that is longer than the scanned bytes', message('1', `http://a.test/${'x'.repeat(4000)}`, 'GET').toString()],
])('%s is left to the complete reader', (_name, text) => {
  expect(readPauseStart(Buffer.from(text))).toBeNull();
});
