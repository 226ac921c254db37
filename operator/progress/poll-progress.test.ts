import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { finalisingOf, startProgressPoller } from './poll-progress.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function recorder(answer: () => unknown): Promise<number> {
  server = createServer((_request, response) => {
    const body = answer();
    if (body !== 'silence') response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const target = { podUID: 'u', ip: '127.0.0.1' };
/** Polls only when it is called. */
const quietPoller = (port: number): ReturnType<typeof startProgressPoller> =>
  startProgressPoller(
    () => [target],
    () => undefined,
    { port, periodMs: 1e6 },
  );

it('keeps the last response, and calls back once when the recorder starts finalising and once when it is done', async () => {
  let phase = 'Running';
  let now = 0;
  const port = await recorder(() => ({ v: 1, phase, tokens: 7, costUSD: 0.5, apiCalls: 2, other: 'x' }));
  const reported: string[] = [];
  const poller = startProgressPoller(
    () => [target],
    (uid) => reported.push(uid),
    { port, periodMs: 1e6, now: () => now },
  );
  const poll = async (): Promise<void> => {
    now += 10;
    await poller.poll();
  };
  await poll();
  expect(reported.splice(0), 'its spending').toEqual(['u']);
  expect(poller.finalising('u')).toBeNull();
  expect(poller.of('u')).toMatchObject({ phase: 'Running', tokens: 7, costUSD: 0.5, apiCalls: 2 });
  phase = 'Finalising';
  await poll();
  await poll();
  expect(reported).toEqual(['u']);
  expect(poller.finalising('u')).toEqual({ done: false, since: 20 });
  phase = 'Done';
  await poll();
  await poll();
  expect(reported).toEqual(['u', 'u']);
  expect(poller.finalising('u')).toEqual({ done: true, since: 40 });
  poller.stop();
});

it('publishes usage, and wakes the run for it, only when there is something new', async () => {
  let answer: object = { phase: 'Running', tokens: 0, apiCalls: 0 };
  const port = await recorder(() => answer);
  const reported: string[] = [];
  const poller = startProgressPoller(
    () => [target],
    (uid) => reported.push(uid),
    { port, periodMs: 1e6 },
  );
  const publishedUsage = async (next: object): Promise<unknown> => {
    answer = { phase: 'Running', ...next };
    await poller.poll();
    return [reported.length, poller.publishedUsage('u')];
  };
  expect(await publishedUsage({})).toEqual([0, undefined]);
  const spent = { costUSD: 0.1, tokens: 7, apiCalls: 1 };
  expect(await publishedUsage(spent)).toEqual([1, spent]);
  expect(await publishedUsage(spent)).toEqual([1, spent]);
  expect(await publishedUsage({ ...spent, tokens: 9 })).toEqual([2, { ...spent, tokens: 9 }]);
  poller.stop();
});

it('a pod that does not respond, or responds with nonsense, costs its row and no more than a second', async () => {
  let reply: unknown = { phase: 4 };
  const port = await recorder(() => reply);
  const poller = quietPoller(port);
  await poller.poll();
  expect(poller.of('u')).toBeUndefined();
  reply = 'silence';
  const before = Date.now();
  await poller.poll();
  expect(Date.now() - before).toBeLessThan(2000);
  poller.stop();
});

it.each([
  ['without end', Number.POSITIVE_INFINITY],
  ['with a megabyte of JSON', 1_000_000],
])('a pod that responds %s is ignored, and not read any further', async (_how, bytes) => {
  let sent = 0;
  const port = await floods(bytes, (count) => (sent += count));
  const poller = quietPoller(port);
  await poller.poll();
  expect(poller.of('u')).toBeUndefined();
  // The sockets may have buffered more than was read.
  expect(sent).toBeLessThan(20_000_000);
  poller.stop();
});

/** `{"phase":"Running","x":"aaaa…`, complete if it has an end. */
async function floods(bytes: number, sent: (count: number) => void): Promise<number> {
  const chunk = Buffer.alloc(50_000, 'a');
  server = createServer((_request, response) => {
    response.write('{"phase":"Running","x":"');
    const more = (left: number): void => {
      if (response.destroyed) return;
      if (left <= 0) return void response.end('"}');
      sent(chunk.length);
      if (response.write(chunk)) setImmediate(more, left - chunk.length);
      else response.once('drain', () => more(left - chunk.length));
    };
    more(bytes);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

it('forgets pods that are gone', async () => {
  const port = await recorder(() => ({ phase: 'Running' }));
  let targets = [target];
  const poller = startProgressPoller(
    () => targets,
    () => undefined,
    { port, periodMs: 1e6 },
  );
  await poller.poll();
  targets = [];
  await poller.poll();
  expect(poller.of('u')).toBeUndefined();
  poller.stop();
});

it.each([
  ['Setup', null],
  ['Running', null],
  ['Stopping', { done: false, since: 5 }],
  ['Finalising', { done: false, since: 5 }],
  ['Done', { done: true, since: 5 }],
])('%s', (phase, expected) => {
  expect(finalisingOf({ phase }, null, 5)).toEqual(expected);
});
