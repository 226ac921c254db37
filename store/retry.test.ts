import { describe, expect, test } from 'vitest';
import { StoreConflict, StoreRefused, StoreUnavailable } from './object-store.ts';
import { type StoreRetryPolicy, retryStore, retryWaitMs } from './retry.ts';

function clock(): { now: () => number; policy: (deadlineMs: number) => StoreRetryPolicy } {
  let at = 0;
  const now = (): number => at;
  const pause = (ms: number): Promise<void> => {
    at += ms;
    return Promise.resolve();
  };
  return { now, policy: (deadlineMs) => ({ deadlineMs, now, pause, random: () => 0.5 }) };
}
const away = (): Promise<never> => Promise.reject(new StoreUnavailable('ECONNREFUSED', 'away'));

describe('retrying a store call', () => {
  test('survives an outage of three minutes', async () => {
    const time = clock();
    const answer = await retryStore(
      () => (time.now() < 180_000 ? away() : Promise.resolve('back')),
      time.policy(300_000),
    );
    expect(answer).toBe('back');
    expect(time.now()).toBeLessThan(180_000 + 10_000);
  });

  test('gives up with the last error before the deadline is passed', async () => {
    const time = clock();
    await expect(retryStore(away, time.policy(60_000))).rejects.toThrow('away');
    expect(time.now()).toBeGreaterThan(45_000);
    expect(time.now()).toBeLessThanOrEqual(60_000);
  });

  test.each([new StoreConflict('k'), new StoreRefused('AccessDenied', 'no'), new RangeError('key')])(
    'never repeats %s',
    async (error) => {
      let calls = 0;
      const call = (): Promise<never> => {
        calls += 1;
        return Promise.reject(error);
      };
      await expect(retryStore(call, clock().policy(60_000))).rejects.toBe(error);
      expect(calls).toBe(1);
    },
  );

  test('an abort during the wait ends it with the last error', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await expect(retryStore(away, { deadlineMs: 60_000, signal: controller.signal })).rejects.toThrow('away');
  });

  test('waits double from 250 ms to 10 s, with jitter that never goes below half', () => {
    expect([1, 2, 3, 6, 7, 50].map((n) => retryWaitMs(n, 1))).toEqual([250, 500, 1000, 8000, 10_000, 10_000]);
    expect(retryWaitMs(3, 0)).toBe(500);
  });
});
