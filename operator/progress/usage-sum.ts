import type { Usage } from '../../crds/status/shared.ts';

/** Usage of one source. The judge's usage is counted separately. */
export type Spending = Omit<Usage, 'judge'>;

/**
 * Adds up usage. A sum of known and unknown prices would look cheap, so calls without a price are counted beside it:
 * while there are any, `costUSD` is a lower bound (null: no price is known). All numbers are lower bounds while there
 * is an attempt that died before it reported its final usage.
 */
export function sumUsages(parts: readonly Spending[]): Spending {
  const known = parts.map((part) => part.costUSD ?? null).filter((cost) => cost !== null);
  return {
    // In millionths, so that the sum of a thousand runs does not drift.
    costUSD: known.length === 0 ? null : total(known.map(micros)) / 1e6,
    tokens: total(parts.map((part) => part.tokens ?? 0)),
    apiCalls: total(parts.map((part) => part.apiCalls ?? 0)),
    unpricedCalls: positive(total(parts.map(unpriced))),
    unreportedAttempts: positive(total(parts.map((part) => part.unreportedAttempts ?? 0))),
  };
}

/** A sum with one part replaced: the live usage of an attempt grows, and its final usage takes its place. */
export function replaceUsage(sum: Spending, before: Spending, after: Spending): Spending {
  return sumUsages([withoutPart(sum, before), after]);
}

function withoutPart(sum: Spending, part: Spending): Spending {
  const [all, one] = [sumUsages([sum]), sumUsages([part])];
  const less = (left = 0, right = 0): number => Math.max(0, left - right);
  const rest = {
    tokens: less(all.tokens, one.tokens),
    apiCalls: less(all.apiCalls, one.apiCalls),
    unpricedCalls: less(all.unpricedCalls, one.unpricedCalls),
    unreportedAttempts: less(all.unreportedAttempts, one.unreportedAttempts),
  };
  const cost = less(micros(all.costUSD ?? 0), micros(one.costUSD ?? 0)) / 1e6;
  // Calls may be free. If none of the remaining calls has a price, the cost of the rest is unknown.
  return { ...rest, costUSD: cost === 0 && rest.apiCalls <= rest.unpricedCalls ? null : cost };
}

/** A part that is itself a sum has the number already. */
function unpriced({ costUSD = null, tokens = 0, apiCalls = 0, unpricedCalls }: Spending): number {
  if (unpricedCalls !== undefined) return unpricedCalls;
  return costUSD !== null || tokens + apiCalls === 0 ? 0 : Math.max(1, apiCalls);
}

function micros(cost: number): number {
  return Math.round(cost * 1e6);
}

function positive(count: number): number | undefined {
  return count === 0 ? undefined : count;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** `$1.50`; `≥$1.50` when some of it has no price or was never reported; `-` when nothing is known. */
export function costColumn({ costUSD = null, unpricedCalls = 0, unreportedAttempts = 0 }: Spending): string {
  if (costUSD === null) return '-';
  return `${unpricedCalls + unreportedAttempts > 0 ? '≥' : ''}$${costUSD.toFixed(2)}`;
}
