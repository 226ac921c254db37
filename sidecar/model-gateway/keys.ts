import type { ProviderFailure } from '../../benchmark/protocol/model-gateway.ts';

/**
 * The keys of one model, used in turn. A key that failed rests: for what the provider asked, else half a minute after a
 * rate limit and ten minutes after a refusal. When all rest, the one that is ready first is tried all the same, since
 * the provider's answer is the better sentence.
 */
export interface KeyRing {
  readonly size: number;
  /** @returns the place of the key to use. */
  next(now: number): number;
  key(index: number): string;
  failed(index: number, kind: ProviderFailure, now: number, retryAfterMs: number | null): void;
}

const REST_MS: Readonly<Partial<Record<ProviderFailure, number>>> = {
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
      const rest = REST_MS[kind];
      if (rest !== undefined) readyAt[index] = now + Math.max(retryAfterMs ?? rest, 0);
    },
  };
}
