import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import pino from 'pino';
import { CommandError } from '../pipe/commands.ts';
import { createPauses, SLOW_PAUSE_MS } from './pauses.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const log = pino({ level: 'silent' });

test('every pause is answered exactly once', async () => {
  const sent: string[] = [];
  const pauses = createPauses(
    {
      order: (method, params, done) => {
        sent.push(`${method} ${params['requestId']}`);
        queueMicrotask(() => done(null));
      },
    },
    log,
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
  pauses.stop();
});

test('a pause that the page gave up meanwhile is forgotten', async () => {
  const pauses = createPauses(
    { order: (method, _params, done) => done(new CommandError('refused', method, 'Invalid InterceptionId.')) },
    log,
  );
  pauses.opened('1', 'https://a.test/');
  pauses.continue('1');
  await vi.advanceTimersByTimeAsync(0);
  expect(pauses.open).toBe(0);
  pauses.stop();
});

test('a pause older than a second is reported once, by host alone', () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => undefined);
  const pauses = createPauses({ order: () => undefined }, log);
  pauses.opened('1', 'https://a.test/secret?x=1');
  vi.advanceTimersByTime(SLOW_PAUSE_MS * 5);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[0]).toMatchObject({ host: 'a.test', answered: false });
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
  pauses.stop();
});
