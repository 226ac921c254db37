/**
 * What a run can have spent at most. The numbers come from a harness's own files and from whoever answers for a
 * provider or in a Pod, and end in sums and in the int64 of a status: one absurd row must not make either unreadable.
 * A real run stays below a thousandth of each.
 */
export const MAX_TOKENS = 1e11;
export const MAX_CALLS = 1e9;
export const MAX_USD = 1e9;

/** A whole number from 0 to `max`; anything that is no positive number is 0. */
export function boundedCount(value: unknown, max: number): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.trunc(value), max) : 0;
}

/** US dollars, or null: it is not known. */
export function boundedUSD(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? Math.min(value, MAX_USD) : null;
}
