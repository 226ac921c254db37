/** Exponential back-off with jitter. */
export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * Delay before try `failures` + 1. Half of it is random, so that not all waiting clients return at the same time after an
 * outage of the API server.
 * @param failures consecutive failures so far, from 1.
 * @returns milliseconds in [d/2, d] where d = min(cap, base · 2^(failures−1)).
 */
export function backoffMs(backoff: Backoff, failures: number, random: () => number = Math.random): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 40);
  const full = Math.min(backoff.capMs, backoff.baseMs * 2 ** exponent);
  return full / 2 + random() * (full / 2);
}
