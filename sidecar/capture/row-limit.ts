/**
 * A page can dispatch events of its own in a loop, and each is a row. An agent types fast (three rows per character, a
 * form of a thousand characters at once), but not for long: a token bucket per tab, deep and slowly refilled.
 */
export interface RowLimit {
  readonly admits: (key: string, now: number) => boolean;
  readonly forget: (key: string) => void;
}

const BURST = 4_000;
const PER_SECOND = 100;

export function openRowLimit(): RowLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    admits: (key, now) => {
      const bucket = buckets.get(key) ?? { tokens: BURST, at: now };
      const tokens = Math.min(BURST, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * PER_SECOND);
      const admitted = tokens >= 1;
      buckets.set(key, { tokens: admitted ? tokens - 1 : tokens, at: now });
      return admitted;
    },
    forget: (key) => void buckets.delete(key),
  };
}
