import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from './provider-error.ts';

export interface CallRetryPolicy {
  /** Total number of calls, including the first. */
  readonly attempts: number;
  /** Upper bound of the first delay; doubles each time. Full jitter: the delay is uniform below the bound. */
  readonly baseSeconds: number;
  readonly capSeconds: number;
  /** A longer `Retry-After` than this counts as a lasting limit. */
  readonly longestAskedSeconds: number;
}

export const JUDGE_RETRY: CallRetryPolicy = { attempts: 4, baseSeconds: 2, capSeconds: 30, longestAskedSeconds: 120 };

export interface RetryTools {
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}
const REAL: RetryTools = { random: Math.random, sleep };

/** Seconds before call `attempt + 1` (attempts count from 1): the provider's `Retry-After`, else exponential backoff with jitter. */
export function retryDelaySeconds(
  policy: CallRetryPolicy,
  attempt: number,
  asked: number | null,
  random: () => number,
): number {
  if (asked !== null) return asked;
  return Math.min(policy.capSeconds, policy.baseSeconds * 2 ** (attempt - 1)) * random();
}

/**
 * Retries a call while its failure is transient. A rate limit that outlasts the policy, or a `Retry-After` that is too long,
 * becomes `Pause`: it concerns the whole queue, not this call.
 */
export async function withRetry<T>(
  policy: CallRetryPolicy,
  call: () => Promise<T>,
  tools: RetryTools = REAL,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'Retry') throw error;
      const asked = error.retryAfterSeconds;
      if (asked !== null && asked > policy.longestAskedSeconds) throw paused(error);
      if (attempt >= policy.attempts) throw error.status === 429 ? paused(error) : error;
      await tools.sleep(1000 * retryDelaySeconds(policy, attempt, asked, tools.random));
    }
  }
}

function paused(error: ProviderError): ProviderError {
  return new ProviderError('Pause', error.status, error.message, error.retryAfterSeconds);
}
