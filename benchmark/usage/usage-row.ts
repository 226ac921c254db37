import type { TokenUsage } from './normalize.ts';
import { PRICING_SOURCE_URL } from './price.ts';

/** A row of `usage.jsonl` in upstream's form: one model call. */
export interface UsageRow extends Omit<TokenUsage, 'reported_total_tokens'> {
  readonly type: 'usage';
  readonly source_harness: string;
  readonly call_id: string;
  readonly timestamp: unknown;
  readonly model: string;
  readonly estimated_cost_usd: number | null;
  readonly cost_status: 'estimated' | 'price_unavailable';
  readonly pricing_source_url: string;
  readonly matched_model_id: string | null;
}

/** A call with its price: the source of each row of `usage.jsonl`, whether the harness or the gateway counted it. */
export interface PricedCall {
  readonly harness: string;
  readonly callId: string;
  readonly timestamp: unknown;
  readonly model: string;
  readonly usage: TokenUsage;
  /** The entry of the price list; null: there is none. */
  readonly matched: string | null;
  readonly costUSD: number | null;
}

/** The row of one call. */
export function usageRow({ harness, callId, timestamp, model, usage, matched, costUSD }: PricedCall): UsageRow {
  const { reported_total_tokens: _reported, ...tokens } = usage;
  return {
    type: 'usage',
    source_harness: harness,
    call_id: callId,
    timestamp,
    model,
    ...tokens,
    estimated_cost_usd: costUSD,
    cost_status: costUSD === null ? 'price_unavailable' : 'estimated',
    pricing_source_url: PRICING_SOURCE_URL,
    matched_model_id: matched,
  };
}
