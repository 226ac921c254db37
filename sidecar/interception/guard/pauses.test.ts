import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandError } from '../pipe/command-error.ts';
import { createPauses, SLOW_PAUSE_MS } from './pauses.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
});
afterEach(() => void vi.useRealTimers());

const warn = vi.fn();
const expire = vi.fn();

test('every pause is answered exactly once', async () => {
  const sent: string[] = [];
  const pauses = createPauses(
    {
      send: (method, params, done) => {
        sent.push(`${method} ${params['requestId']}`);
        queueMicrotask(() => done(null));
      },
      expire,
    },
    warn,
  );
  pauses.opened('1', 'https://a.test/');
  pauses.fail('1');
  pauses.continue('1');
  pauses.continue('unknown');
  expect(sent).toEqual(['Fetch.failRequest 1']);
  await vi.advanceTimersByTimeAsync(0);
  expect(pauses.open).toBe(0);
  pauses.opened('1', 'https://a.test/');
  pauses.continue('1');
  expect(sent).toEqual(['Fetch.failRequest 1', 'Fetch.continueRequest 1']);
});

test('a pause whose request the page canceled is dropped', async () => {
  const pauses = createPauses(
    { send: (method, _params, done) => done(new CommandError('refused', method, 'Invalid InterceptionId.')), expire },
    warn,
  );
  pauses.opened('1', 'https://a.test/');
  pauses.continue('1');
  await vi.advanceTimersByTimeAsync(0);
  expect(pauses.open).toBe(0);
});

test('a pause older than a second is reported once, by host only', () => {
  const pauses = createPauses({ send: () => undefined, expire }, warn);
  pauses.opened('1', 'https://a.test/secret?x=1');
  for (let n = 0; n < 50; n += 1) {
    pauses.watch();
    vi.advanceTimersByTime(SLOW_PAUSE_MS / 10);
  }
  // However often it is called, it checks twice a second.
  expect(expire).toHaveBeenCalledTimes(10);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[0]).toMatchObject({ host: 'a.test', answered: false });
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
});
