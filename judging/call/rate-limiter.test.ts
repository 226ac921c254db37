import { describe, expect, it } from 'vitest';
import { ProviderError } from './provider-error.ts';
import { createRateLimiter } from './rate-limiter.ts';

const down = (status: number, asked: number | null = null): ProviderError =>
  new ProviderError('Retry', status, `HTTP ${String(status)}`, asked);
const failing = (error: ProviderError) => (): Promise<never> => Promise.reject(error);
const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** A clock that jumps when somebody sleeps. */
function aClock(): { now: () => number; sleep: (ms: number) => Promise<void>; sleeps: number[] } {
  let at = 0;
  const sleeps: number[] = [];
  return {
    now: () => at,
    sleep: (ms) => {
      sleeps.push(ms);
      at += ms;
      return Promise.resolve();
    },
    sleeps,
  };
}

describe('the rate limiter', () => {
  it('runs no more calls than it has slots, and starts the next one at once', async () => {
    const gate = createRateLimiter({ calls: 3, perMinute: null });
    let [active, most] = [0, 0];
    const call = async (): Promise<void> => {
      active += 1;
      most = Math.max(most, active);
      await new Promise((resolve) => setTimeout(resolve, 1));
      active -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => gate(call)));
    expect([most, active]).toEqual([3, 0]);
  });

  it('delays all calls for the provider’s Retry-After', async () => {
    const clock = aClock();
    const gate = createRateLimiter({ calls: 2, perMinute: null, ...clock });
    await caught(gate(failing(down(429, 7))));
    expect(await gate(() => Promise.resolve(clock.now()))).toBe(7000);
  });

  it('treats a Retry-After that is too long as an outage', async () => {
    const clock = aClock();
    const gate = createRateLimiter({ calls: 2, perMinute: null, ...clock });
    await caught(gate(failing(down(429, 86_400))));
    expect(await caught(gate(() => Promise.resolve(1)))).toMatchObject({ kind: 'Pause', status: 429 });
    expect(clock.sleeps).toEqual([]);
  });

  it('keeps the number of calls per minute', async () => {
    const clock = aClock();
    const gate = createRateLimiter({ calls: 9, perMinute: 60, ...clock });
    const starts = [];
    for (let i = 0; i < 4; i += 1) starts.push(await gate(() => Promise.resolve(clock.now())));
    expect(starts).toEqual([0, 1000, 2000, 3000]);
  });

  it('refuses every call after four rounds of failures, and resets the count after a success', async () => {
    let calls = 0;
    const gate = createRateLimiter({ calls: 1, perMinute: null });
    const fail = (): Promise<unknown> =>
      caught(
        gate(() => {
          calls += 1;
          return Promise.reject(down(503));
        }),
      );
    for (let i = 0; i < 31; i += 1) await fail();
    await gate(() => Promise.resolve());
    for (let i = 0; i < 40; i += 1) await fail();
    expect(calls).toBe(31 + 32);
    expect(await fail()).toMatchObject({
      kind: 'Pause',
      status: 503,
      message: expect.stringContaining('the last 32 calls failed'),
    });
  });

  it('refuses every further call when there is no credit', async () => {
    const gate = createRateLimiter({ calls: 1, perMinute: null });
    let calls = 0;
    const call = (): Promise<never> => {
      calls += 1;
      return Promise.reject(new ProviderError('Pause', 402, 'no credit'));
    };
    const results = await Promise.all([1, 2, 3].map(() => caught(gate(call))));
    expect(results.map((error) => (error as ProviderError).status)).toEqual([402, 402, 402]);
    expect(calls).toBe(1);
  });

  it('does not count a rejected call as a failure of the provider', async () => {
    const gate = createRateLimiter({ calls: 1, perMinute: null });
    for (let i = 0; i < 50; i += 1) await caught(gate(failing(new ProviderError('Refused', 400, 'no'))));
    expect(await gate(() => Promise.resolve('through'))).toBe('through');
  });
});
