import type { TokenUsage } from './normalize.ts';

/** The five parts that do not overlap. */
export const TOKEN_PARTS = [
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
] as const;
type Part = (typeof TOKEN_PARTS)[number];

/** Sum of two calls. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return { ...each((part) => a[part] + b[part]), ...totals(a.total_tokens + b.total_tokens) };
}

/** The difference between two running totals; a total that decreased has started again. */
export function subtractUsage(total: TokenUsage, before: TokenUsage): TokenUsage {
  if (total.total_tokens < before.total_tokens) return total;
  return {
    ...each((part) => Math.max(0, total[part] - before[part])),
    ...totals(total.total_tokens - before.total_tokens),
  };
}

/** A call plus the amount by which a session's closing total exceeds the reported calls; never more than the totals differ. */
export function addSurplus(call: TokenUsage, closing: TokenUsage, reported: TokenUsage): TokenUsage {
  const surplus = Math.max(0, closing.total_tokens - reported.total_tokens);
  let left = surplus;
  const parts = each((part) => {
    const more = Math.min(left, Math.max(0, closing[part] - reported[part]));
    left -= more;
    return call[part] + more;
  });
  return { ...parts, ...totals(call.total_tokens + surplus) };
}

function each(value: (part: Part) => number): Record<Part, number> {
  return Object.fromEntries(TOKEN_PARTS.map((part) => [part, value(part)])) as Record<Part, number>;
}

function totals(total: number): { reported_total_tokens: number; total_tokens: number } {
  return { reported_total_tokens: 0, total_tokens: total };
}
