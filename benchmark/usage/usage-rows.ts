import type { TokenUsage } from './normalize.ts';
import { costOf, matchModelId, PRICING_SOURCE_URL, type PriceList } from './price.ts';
import { transcriptCalls, type TranscriptCall } from './transcript.ts';

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

export interface EmitOptions {
  readonly harness: string;
  /** The configured model, for rows without one. */
  readonly model: string;
  readonly prices: PriceList;
  /** Timestamp of rows without one. */
  readonly now: string | number;
}

/**
 * Usage rows of a whole transcript (see `transcript.ts` for what counts). A row without any id is named by its place in
 * the file, not by the clock as upstream's (U2).
 */
export function emitUsage(events: readonly unknown[], options: EmitOptions): UsageRow[] {
  return transcriptCalls(events).map((call) => toRow(call, options));
}

function toRow(call: TranscriptCall, options: EmitOptions): UsageRow {
  const model = call.model ?? options.model;
  const matched = matchModelId([model, options.model], [...options.prices.keys()]);
  const costUSD = matched === null ? null : costOf(call.usage, options.prices.get(matched));
  const callId = namedBy(call, model) ?? `${options.harness}:${model}:line-${String(call.index + 1)}`;
  const timestamp = call.timestamp ?? options.now;
  return usageRow({ harness: options.harness, callId, timestamp, model, usage: call.usage, matched, costUSD });
}

/** An ID that is only a timestamp is prefixed with the model. */
function namedBy({ id }: TranscriptCall, model: string): string | null {
  return id?.startsWith(':') === true ? `${model}${id}` : id;
}
