/**
 * Upper bounds of a run's usage. The numbers come from untrusted sources (a harness's files, a provider's responses, a Pod) and
 * end up in sums and in int64 fields of a status, which one absurd row must not break. A real run stays below a thousandth of
 * each bound.
 */
export const MAX_TOKENS = 1e11;
export const MAX_CALLS = 1e9;
export const MAX_USD = 1e9;

/** A whole number from 0 to `max`; 0 for anything that is not a positive number. */
export function boundedCount(value: unknown, max: number): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.trunc(value), max) : 0;
}

/** US dollars; null: unknown. */
export function boundedUSD(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? Math.min(value, MAX_USD) : null;
}
