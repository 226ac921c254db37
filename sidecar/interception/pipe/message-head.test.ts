import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanHead } from './message-head.ts';

const head = fc.record({
  requestId: fc.string(),
  url: fc.webUrl().chain((url) => fc.string().map((tail) => `${url}?${tail}`)),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'X-"quoted"'),
  headers: fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.string({ unit: 'binary' })),
});

function message(
  parts: { requestId: string; url: string; method: string; headers: Record<string, string> },
  fragment?: string,
): string {
  const request = {
    url: parts.url,
    ...(fragment === undefined ? {} : { urlFragment: fragment }),
    method: parts.method,
    headers: parts.headers,
  };
  const params = {
    requestId: parts.requestId,
    request: { ...request, postData: 'x', hasPostData: true },
    frameId: 'F',
    resourceType: 'XHR',
  };
  return JSON.stringify({ method: 'Fetch.requestPaused', params });
}

test('the head is read from any prefix that contains it; a shorter one asks for more', () => {
  fc.assert(
    fc.property(head, fc.option(fc.string(), { nil: undefined }), fc.nat(), (parts, fragment, cut) => {
      const bytes = Buffer.from(message(parts, fragment));
      const whole = scanHead(bytes);
      if (whole.kind !== 'head') throw new Error(`whole message is ${whole.kind}`);
      const length = cut % (bytes.length + 1);
      const scan = scanHead(bytes.subarray(0, length));
      expect(scan.kind).toBe(length < whole.end ? 'more' : 'head');
      expect(JSON.stringify(whole.head)).toEqual(JSON.stringify(JSON.parse(JSON.stringify(parts))));
      expect(bytes.subarray(whole.end).toString()).toMatch(/^,"postData":/);
    }),
  );
});

test.each([
  ['a reply', '{"id":1,"result":{}}'],
  ['another event', '{"method":"Target.targetCreated","params":{}}'],
  ['another order of fields', '{"method":"Fetch.requestPaused","params":{"request":{"url":"x"}}}'],
  [
    'a header that is not a string',
    '{"method":"Fetch.requestPaused","params":{"requestId":"1","request":{"url":"x","method":"GET","headers":{"a":1}}}}',
  ],
])('%s is not read as a head', (_name, text) => {
  expect(scanHead(Buffer.from(text)).kind).toBe('other');
});
