import type { Usage } from '../crds/status/shared.ts';

/** What one side spent; the judge's is a part of its own. */
export type Spent = Omit<Usage, 'judge'>;

/**
 * Adds up what was spent. A sum of known and unknown prices looks like a bargain, so the calls without a price are
 * counted beside it: while there are any, `costUSD` is a lower bound (null: nothing is known of any).
 */
export function sumUsages(parts: readonly Spent[]): Spent {
  const known = parts.map((part) => part.costUSD ?? null).filter((cost) => cost !== null);
  const unpricedCalls = total(parts.map(unpriced));
  return {
    // In millionths, so that a thousand runs do not drift.
    costUSD: known.length === 0 ? null : total(known.map((cost) => Math.round(cost * 1e6))) / 1e6,
    tokens: total(parts.map((part) => part.tokens ?? 0)),
    apiCalls: total(parts.map((part) => part.apiCalls ?? 0)),
    unpricedCalls: unpricedCalls === 0 ? undefined : unpricedCalls,
  };
}

/** A part that is a sum already says it itself. */
function unpriced({ costUSD = null, tokens = 0, apiCalls = 0, unpricedCalls }: Spent): number {
  if (unpricedCalls !== undefined) return unpricedCalls;
  return costUSD !== null || tokens + apiCalls === 0 ? 0 : Math.max(1, apiCalls);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** `$1.50`, `≥$1.50` when some of it has no price, `-` when nothing is known. */
export function costColumn({ costUSD = null, unpricedCalls = 0 }: Spent): string {
  if (costUSD === null) return '-';
  return `${unpricedCalls > 0 ? '≥' : ''}$${costUSD.toFixed(2)}`;
}
