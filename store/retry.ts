import { setTimeout as sleep } from 'node:timers/promises';
import { StoreConflict, StoreRefused } from './object-store.ts';

/**
 * The retry policy for the object store. It replaces the SDK's, which gives up after three tries within a second, because
 * an outage of minutes must be survived, and a conflict or a refusal must never be retried.
 */
export interface StoreRetryPolicy {
  /** Time from the first failure until the last error is thrown. 0 for a single try. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called before each retry. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  /** 0 ≤ n < 1. */
  readonly random?: () => number;
  readonly now?: () => number;
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** A doubling wait with jitter between half and all of it, so that recorders do not return at the same time. */
export function retryWaitMs(failures: number, random: number): number {
  const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(ceiling * (0.5 + random / 2));
}

/** Conflicts and refusals are final, and an invalid key is a bug, so a retry would not help. */
function isRetryable(error: unknown): boolean {
  if (error instanceof StoreConflict || error instanceof StoreRefused || error instanceof RangeError) return false;
  const code = (error as { code?: unknown }).code;
  return code !== 'ENOENT' && code !== 'EACCES' && code !== 'EROFS';
}

/**
 * Repeats `operation` until it succeeds, fails permanently, or the deadline has passed.
 * @param operation called with the number of failures so far
 * @throws the last error of the operation
 */
export async function retryStore<T>(operation: (failures: number) => Promise<T>, policy: StoreRetryPolicy): Promise<T> {
  const { now, pause, random } = { now: Date.now, pause: sleepFor, random: Math.random, ...policy };
  const { signal } = policy;
  let deadline: number | null = null;
  for (let failures = 0; ;) {
    try {
      return await operation(failures);
    } catch (error) {
      failures += 1;
      deadline ??= now() + policy.deadlineMs;
      const wait = retryWaitMs(failures, random());
      if (signal?.aborted || !isRetryable(error) || now() + wait > deadline) throw error;
      policy.onRetry?.(error, wait);
      await pause(wait, signal).catch(() => {
        throw error;
      });
    }
  }
}

function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(ms, undefined, signal ? { signal } : {});
}
