import { emitUsage } from '../../../benchmark/usage/transcript-rows.ts';
import { normalizeUsage } from '../../../benchmark/usage/normalize.ts';
import { matchModelId } from '../../../benchmark/usage/price.ts';
import { summarizeUsage } from '../../../benchmark/usage/summary.ts';
import type { ConformanceGroup } from '../group.ts';

/** Tokens and cost. */
export const USAGE_GROUPS: Readonly<Record<string, ConformanceGroup>> = {
  usage_normalize: ({ input }) => normalizeUsage(input.usage),
  usage_summary: ({ input }) => summarizeUsage(input.rows),
  price_model_match: ({ input }) => ({ matched: matchModelId(input.candidates, input.model_ids) }),
  usage_emit: ({ input, expected }) => {
    const prices = new Map(Object.entries(input.pricing ?? {}));
    const rows = emitUsage(input.events, { harness: 'h', model: 'test-model', prices, now: '<now>' });
    if ('rows' in expected) return { rows };
    // Some cases record only upstream's miscount, and the true total if there is one: our figures under the same names.
    const total = rows.reduce((sum, row) => sum + row.total_tokens, 0);
    const answer = { upstream_rows: rows.length, upstream_total_tokens: total, true_total_tokens: total };
    return Object.fromEntries(Object.entries(answer).filter(([key]) => key in expected));
  },
};
