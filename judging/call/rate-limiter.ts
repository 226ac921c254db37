import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from './provider-error.ts';
import { JUDGE_RETRY } from './retry.ts';

export interface RateLimiterOptions {
  /** Concurrent calls. */
  readonly calls: number;
  /** `requests_per_minute` of the model's entry; null: unlimited. */
  readonly perMinute: number | null;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** Runs one call when the limits of the provider allow it. */
export type RateLimiter = <T>(call: () => Promise<T>) => Promise<T>;

/** The provider counts as down after this many consecutive failures over all workers: four rounds of every worker, at least 32. */
const ROUNDS = 4;
const FEWEST = 32;

/**
 * One limiter per provider, in which the calls of all workers queue. It bounds concurrent calls and calls per minute. When a
 * provider sends `Retry-After`, all calls wait, not only the one that received it. After an invalid key or missing credit,
 * and after too many consecutive failures, every further call fails with `Pause`: an outage costs a bounded number of
 * calls, however long the list is.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const now = options.now ?? Date.now;
  const wait = options.sleep ?? sleep;
  const limit = Math.max(FEWEST, ROUNDS * options.calls);
  const interval = options.perMinute === null ? 0 : 60_000 / options.perMinute;
  const queue: (() => void)[] = [];
  let free = options.calls;
  let notBefore = 0;
  let failures = 0;
  let last: ProviderError | null = null;
  let closed: ProviderError | null = null;

  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const ready = async (): Promise<void> => {
    for (let due = notBefore - now(); due > 0; due = notBefore - now()) await wait(due);
    if (interval > 0) notBefore = Math.max(notBefore, now()) + interval;
    if (closed !== null) throw closed;
    if (last !== null && failures >= limit) throw down(last, failures);
  };
  const failed = (error: unknown): void => {
    if (!(error instanceof ProviderError)) return;
    if (error.kind === 'Pause') closed ??= error;
    if (error.kind === 'Retry') {
      failures += 1;
      last = error;
    }
    const asked = error.retryAfterSeconds ?? 0;
    if (asked > JUDGE_RETRY.longestAskedSeconds) failures = limit;
    else if (asked > 0) notBefore = Math.max(notBefore, now() + 1000 * asked);
  };

  return async (call) => {
    await enter();
    try {
      await ready();
      const result = await call();
      failures = 0;
      return result;
    } catch (error) {
      failed(error);
      throw error;
    } finally {
      leave();
    }
  };
}

function down(last: ProviderError, failures: number): ProviderError {
  return new ProviderError('Pause', last.status, `${last.message}; the last ${failures} calls failed`);
}
