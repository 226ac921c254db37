import { isObject } from '../text/json.ts';
import { boundedCount, boundedUSD, MAX_TOKENS } from './bounds.ts';
import { parseDecimal, SCALE } from './decimal.ts';
import { tokenCount, type TokenUsage } from './normalize.ts';
import { PRICING_SOURCE_URL } from './price.ts';

/** `run_metrics.usage` of run-meta. */
export interface UsageSummary extends Omit<TokenUsage, 'reported_total_tokens'> {
  readonly status: 'estimated' | 'price_unavailable' | 'usage_unavailable';
  readonly api_calls: number;
  readonly usage_events: number;
  /** Null unless every call has a price. */
  readonly estimated_cost_usd: number | null;
  readonly pricing_source_url: string;
  readonly matched_openrouter_model_id: string | null;
  readonly pricing_missing_components: readonly string[];
  readonly observed_models: readonly string[];
}

const PARTS = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'reasoning_tokens'] as const;
type Part = (typeof PARTS)[number];
type Row = Record<string, unknown>;
interface Call {
  readonly parts: Readonly<Record<Part, number>>;
  readonly total: number;
  readonly cost: bigint | null;
  readonly matched: unknown;
  readonly model: unknown;
}

/** Sums the rows of `usage.jsonl`: the first row of an ID counts, and a row without tokens is not a call. */
export function summarizeUsage(rows: readonly unknown[]): UsageSummary {
  const { unique, ids } = distinct(rows);
  const calls = unique.map(readCall).filter((call) => call.total > 0);
  const sums = Object.fromEntries(PARTS.map((part) => [part, sum(calls.map((call) => call.parts[part]))])) as Record<
    Part,
    number
  >;
  const total = sum(calls.map((call) => call.total));
  const cost =
    calls.length > 0 && calls.every((call) => call.cost !== null)
      ? calls.reduce((all, call) => all + (call.cost ?? 0n), 0n)
      : null;
  const matched = strings(calls.map((call) => call.matched));
  return {
    status: calls.length === 0 ? 'usage_unavailable' : cost === null ? 'price_unavailable' : 'estimated',
    api_calls: calls.length,
    usage_events: ids,
    ...sums,
    total_tokens: total,
    estimated_cost_usd: cost === null ? null : boundedUSD(Number((cost * 1_000_000n) / SCALE) / 1e6),
    pricing_source_url: PRICING_SOURCE_URL,
    matched_openrouter_model_id: matched.length === 1 ? (matched[0] ?? null) : null,
    pricing_missing_components: [],
    observed_models: strings(calls.map((call) => call.model)),
  };
}

function distinct(rows: readonly unknown[]): { unique: Row[]; ids: number } {
  const seen = new Set<string>();
  const unique = rows.filter((row): row is Row => {
    if (!isObject(row) || row['type'] !== 'usage') return false;
    const id = row['call_id'] ?? row['id'];
    if (typeof id !== 'string' && typeof id !== 'number') return true;
    const isNew = !seen.has(String(id));
    seen.add(String(id));
    return isNew;
  });
  return { unique, ids: seen.size };
}

function readCall(row: Row): Call {
  const parts = Object.fromEntries(PARTS.map((part) => [part, tokenCount(row[part])])) as Record<Part, number>;
  const total =
    tokenCount(row['total_tokens']) || sum(Object.values(parts)) || tokenCount(row['reported_total_tokens']);
  const cost = row['cost_status'] === 'price_unavailable' ? null : parseDecimal(row['estimated_cost_usd']);
  return { parts, total, cost, matched: row['matched_model_id'], model: row['model'] };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => boundedCount(all + one, MAX_TOKENS), 0);
}

function strings(values: readonly unknown[]): string[] {
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''))].sort();
}
