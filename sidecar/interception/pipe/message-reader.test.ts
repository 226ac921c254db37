import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutAt } from './cut.fixture.ts';
import type { PausedHead } from './message-head.ts';
import { createMessageReader } from './message-reader.ts';
import type { PausedRest } from './paused-body.ts';

interface Seen {
  readonly heads: PausedHead[];
  readonly rests: PausedRest[];
  readonly messages: Record<string, unknown>[];
  /** How many bytes had been fed when the first head was reported. */
  headAt: number;
}

function read(chunks: readonly Buffer[], keep = 1 << 20): Seen {
  const seen: Seen = { heads: [], rests: [], messages: [], headAt: -1 };
  let fed = 0;
  const feed = createMessageReader({
    message: (message) => seen.messages.push(message),
    acknowledged: (id) => seen.messages.push({ id, result: {} }),
    pausedHead: (head) => {
      if (seen.headAt === -1) seen.headAt = fed;
      seen.heads.push(head);
      return keep;
    },
    pausedRest: (_head, rest) => seen.rests.push(rest),
  });
  for (const chunk of chunks) {
    fed += chunk.length;
    feed(chunk);
  }
  return seen;
}

function pause(body: readonly (Uint8Array | null)[] | null, url = 'http://a.test/x'): Buffer {
  const entries = body?.map((part) => (part === null ? {} : { bytes: Buffer.from(part).toString('base64') }));
  const post =
    body === null
      ? {}
      : {
          postData: Buffer.concat(body.map((part) => part ?? Buffer.alloc(0))).toString('utf8'),
          hasPostData: true,
          postDataEntries: entries,
        };
  const request = {
    url,
    method: 'POST',
    headers: { 'X-A': '"postDataEntries":[' },
    ...post,
    initialPriority: 'High',
    referrerPolicy: 'origin',
  };
  const params = { requestId: 'interception-job-1.0', request, frameId: 'F1', resourceType: 'XHR' };
  return Buffer.from(`${JSON.stringify({ method: 'Fetch.requestPaused', params })}\0`);
}

const body = fc.option(fc.array(fc.option(fc.uint8Array({ maxLength: 300 })), { maxLength: 4 }));

test('the same is read however the stream is split', () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 3 }), fc.array(fc.nat()), (bodies, points) => {
      const reply = Buffer.from('{"id":7,"result":{"a":"\\u0000"}}\0');
      const stream = Buffer.concat([reply, ...bodies.map((parts) => pause(parts)), reply]);
      const whole = read([stream]);
      const pieces = read(cutAt(stream, points));
      expect(pieces.messages).toEqual(whole.messages);
      expect(pieces.heads.map((head) => ({ ...head }))).toEqual(whole.heads);
      expect(pieces.rests).toEqual(whole.rests);
      expect(whole.messages).toHaveLength(2);
      expect(whole.rests.map(({ frameId }) => frameId)).toEqual(bodies.map(() => 'F1'));
    }),
  );
});

test('bodies are exact: binary, several parts, parts that CDP does not provide', () => {
  const table: [Parameters<typeof pause>[0], PausedRest['body']][] = [
    [null, { status: 'none' }],
    [[Buffer.from([0, 255, 254])], { status: 'complete', bytes: Buffer.from([0, 255, 254]) }],
    [[Buffer.from('a'), Buffer.from('b')], { status: 'complete', bytes: Buffer.from('ab') }],
    [[Buffer.from('a'), null, Buffer.from('b')], { status: 'partial', bytes: Buffer.from('ab') }],
    [[null], { status: 'unavailable' }],
    [[], { status: 'unavailable' }],
  ];
  for (const [parts, expected] of table) {
    const stream = pause(parts);
    expect(read([stream]).rests[0]?.body).toEqual(expected);
    expect(read(cutAt(stream, [stream.length - 3])).rests[0]?.body).toEqual(expected);
  }
});

test('the decision about 8 MB is requested with the first chunk, and only the requested bytes are kept', () => {
  const bytes = Buffer.alloc(8 << 20, '"\\ü');
  const stream = pause([bytes]);
  const chunks = cutAt(
    stream,
    Array.from({ length: Math.floor(stream.length / 65_536) }, (_, index) => (index + 1) * 65_536),
  );
  const seen = read(chunks, 1000);
  expect(seen.headAt).toBe(65_536);
  expect(seen.rests[0]?.body.status).toBe('truncated');
  expect(bytes.subarray(0, 1000).equals(seen.rests[0]?.body.bytes ?? Buffer.alloc(0))).toBe(true);
  const whole = read(chunks, bytes.length).rests[0];
  expect([whole?.frameId, whole?.resourceType, whole?.body.status]).toEqual(['F1', 'XHR', 'complete']);
  expect(bytes.equals(whole?.body.bytes ?? Buffer.alloc(0))).toBe(true);
});

test('a message that Chromium would not write throws', () => {
  expect(() => read([Buffer.from('GET / HTTP/1.1\r\n\0')])).toThrow();
});

test.each([
  '{"id":7,"result":{}}',
  '{"id":123456789012345,"result":{}}',
  '{"id":7,"result":{},"sessionId":"S"}',
  '{"id":7,"result":{"a":1}}',
  '{"id":1e3,"result":{}}',
  '{"id":-7,"result":{}}',
  '{"id":7,"Result":{}}',
  '{"Id":7,"result":{}}',
])('%s is read as JSON.parse reads it', (text) => {
  expect(read([Buffer.from(`${text}\0`)]).messages).toEqual([JSON.parse(text)]);
});

test('400,000 headers are not scanned from the start with every piece', () => {
  const headers = Object.fromEntries(Array.from({ length: 400_000 }, (_, n) => [`a${n}`, 'b']));
  const request = { url: 'http://a.test/x', method: 'POST', headers };
  const params = { requestId: '1', request, frameId: 'F', resourceType: 'XHR' };
  const bytes = Buffer.from(`${JSON.stringify({ method: 'Fetch.requestPaused', params })}\0`);
  const points = Array.from({ length: Math.floor(bytes.length / 65_536) }, (_, n) => (n + 1) * 65_536);
  const seen = read(cutAt(bytes, points));
  expect(Object.keys(seen.heads[0]?.headers ?? {})).toHaveLength(400_000);
  expect(seen.rests).toMatchObject([{ frameId: 'F', resourceType: 'XHR' }]);
});
