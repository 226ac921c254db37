import type { ProviderFailure } from '../../benchmark/models/provider-failure.ts';

/**
 * The keys of one model, used in turn. A key that failed is not used for as long as the provider asked, otherwise half a
 * minute after a rate limit and ten minutes after a refusal. When none is ready, the first that will be is used anyway,
 * because the provider's answer explains the failure better.
 */
export interface KeyRing {
  readonly size: number;
  /** @returns the index of the key to use. */
  next(now: number): number;
  key(index: number): string;
  failed(index: number, kind: ProviderFailure, now: number, retryAfterMs: number | null): void;
}

const BACK_OFF_MS: Readonly<Partial<Record<ProviderFailure, number>>> = {
  RateLimit: 30_000,
  Auth: 600_000,
  Credit: 600_000,
};

export function keyRing(keys: readonly string[]): KeyRing {
  const readyAt = keys.map(() => 0);
  let turn = 0;
  return {
    size: keys.length,
    next: (now) => {
      const order = keys.map((_, place) => (turn + place) % keys.length);
      const ready = order.find((index) => (readyAt[index] ?? 0) <= now);
      const chosen = ready ?? order.toSorted((a, b) => (readyAt[a] ?? 0) - (readyAt[b] ?? 0))[0] ?? 0;
      turn = (chosen + 1) % keys.length;
      return chosen;
    },
    key: (index) => keys[index] ?? '',
    failed: (index, kind, now, retryAfterMs) => {
      const backOff = BACK_OFF_MS[kind];
      if (backOff !== undefined) readyAt[index] = now + Math.max(retryAfterMs ?? backOff, 0);
    },
  };
}
