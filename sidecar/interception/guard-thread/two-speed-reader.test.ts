import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutAt } from '../pipe/cut.fixture.ts';
import { pausedMessage } from '../pipe/pause.fixture.ts';
import { createMessageReader } from '../pipe/message-reader.ts';
import { createTwoSpeedReader } from './two-speed-reader.ts';

const isEmpty = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && Object.keys(result).length === 0;

/** How each message was read; pauses of `fast/` URLs take the fast path. */
function read(chunks: readonly Buffer[]): string[] {
  const seen: string[] = [];
  const take = createTwoSpeedReader({
    read: createMessageReader({
      // An acknowledgement in two pieces is parsed like any reply.
      message: (message) =>
        seen.push(`${isEmpty(message['result']) ? 'done' : 'message'} ${String(message['method'] ?? message['id'])}`),
      acknowledged: (id) => seen.push(`done ${id}`),
      pausedHead: () => 1000,
      pausedRest: (head) => seen.push(`paused ${head.url}`),
    }),
    acknowledged: (id) => seen.push(`done ${id}`),
    fastPath: (message) => {
      const { params } = JSON.parse(message.toString()) as { params?: { request?: { url: string } } };
      const url = params?.request?.url ?? '';
      if (!url.startsWith('fast/')) return false;
      seen.push(`paused ${url}`);
      return true;
    },
  });
  for (const chunk of chunks) {
    const lent = Buffer.from(chunk);
    take(lent);
    // The caller reads into the same memory again.
    lent.fill(0x41);
  }
  return seen;
}

const messages = fc.array(
  fc.constantFrom(
    pausedMessage({ url: 'fast/a' }),
    pausedMessage({ url: 'fast/b' }),
    pausedMessage({ url: 'slow/a' }),
    '{"id":7,"result":{}}',
    '{"id":8,"result":{"a":1}}',
    '{"method":"Target.targetCreated","params":{}}',
  ),
  { maxLength: 12 },
);

test('however the stream is split and whichever path a message takes, all are reported in order', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.nat()), (texts, points) => {
      const stream = Buffer.from(texts.map((text) => `${text}\0`).join(''));
      const expected = texts.map((text) => {
        const { id, method, params, result } = JSON.parse(text) as {
          id?: number;
          method?: string;
          params?: { request?: { url: string } };
          result?: object;
        };
        if (id !== undefined) return `${isEmpty(result) ? 'done' : 'message'} ${id}`;
        return params?.request === undefined ? `message ${String(method)}` : `paused ${params.request.url}`;
      });
      expect(read(cutAt(stream, points))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
