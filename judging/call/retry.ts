import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from './provider-error.ts';

export interface CallRetryPolicy {
  /** Calls in all, the first included. */
  readonly attempts: number;
  /** Upper bound of the first pause; doubles each time. Full jitter: the pause is uniform below the bound. */
  readonly baseSeconds: number;
  readonly capSeconds: number;
  /** A provider that asks for a longer pause than this is a lasting limit. */
  readonly longestAskedSeconds: number;
}

export const JUDGE_RETRY: CallRetryPolicy = { attempts: 4, baseSeconds: 2, capSeconds: 30, longestAskedSeconds: 120 };

export interface RetryTools {
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}
const REAL: RetryTools = { random: Math.random, sleep };

/** Seconds before call `attempt + 1` (attempt counts from 1): what the provider asked for, else exponential with jitter. */
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
 * Repeats a call while its failure is of the kind that passes. A rate limit that outlasts the policy, or a pause that
 * nobody waits for, becomes `Pause`: the provider is saying that the whole queue is too much, not this call.
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
