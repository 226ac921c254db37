import { isObject } from '../text/json.ts';
import { parseDecimal, roundToMicros, SCALE } from './decimal.ts';
import type { TokenUsage } from './normalize.ts';

/** The source of prices; only models reached through it get a price from it. */
export const PRICING_SOURCE_URL = 'https://openrouter.ai/api/v1/models';

/** Entries of the price list by ID. `sidecar/model-gateway/load-prices.ts` decides which list applies to a run. */
export type PriceList = ReadonlyMap<string, unknown>;

/**
 * The ID in the price list for a model's name: the exact ID, else the only ID that ends in `/<name>`; candidates are tried in
 * order.
 */
export function matchModelId(candidates: readonly string[], ids: readonly string[]): string | null {
  for (const name of candidates) {
    if (name === '') continue;
    if (ids.includes(name)) return name;
    const ending = ids.filter((id) => id.endsWith(`/${name}`));
    if (ending.length === 1) return ending[0] ?? null;
  }
  return null;
}

/**
 * Cost of a call in USD with six decimals; null when it is unknown: no prompt and no completion price, or a part
 * without one (a partial sum would be too low).
 */
export function costOf(usage: TokenUsage, entry: unknown): number | null {
  const pricing = isObject(entry) && isObject(entry['pricing']) ? entry['pricing'] : {};
  const rate = (key: string): bigint | null => parseDecimal(pricing[key]);
  const completion = rate('completion');
  if (rate('prompt') === null && completion === null) return null;
  const parts: readonly (readonly [number, bigint | null])[] = [
    [usage.input_tokens, rate('prompt')],
    [usage.output_tokens, completion],
    [usage.cache_read_tokens, rate('input_cache_read')],
    [usage.cache_write_tokens, rate('input_cache_write')],
    [usage.reasoning_tokens, rate('internal_reasoning') ?? completion],
  ];
  let sum = 0n;
  for (const [tokens, price] of parts) {
    if (tokens === 0) continue;
    if (price === null) return null;
    sum += BigInt(tokens) * price;
  }
  return Number(roundToMicros(sum, SCALE)) / 1e6;
}

/** Compares the host, not a substring as upstream does: `https://openrouter.ai.example` sets no prices. */
export function isOpenRouter(baseUrl: string): boolean {
  return /(?:^|\.)openrouter\.ai$/.test(new URL(baseUrl).hostname);
}
