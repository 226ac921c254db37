import { parse } from 'yaml';
import { z } from 'zod';
import { isObject } from '../text/json.ts';
import { parseDecimal, SCALE } from './decimal.ts';
import type { PriceList } from './price.ts';

/**
 * A price table (`prices.yaml` in the models Secret): USD per million tokens, as providers' price pages state them.
 * OpenRouter's downloaded listing (`{"data":[{"id","pricing"}]}`) is accepted too.
 */

/** The table is not valid; the message is one sentence that names the model and the field. */
export class PriceTableError extends Error {
  override readonly name = 'PriceTableError';
}

const rate = z.union([z.number(), z.string()]).refine((value) => parseDecimal(value) !== null);
const entry = z.strictObject({
  input: rate,
  output: rate,
  cacheRead: rate.optional(),
  cacheWrite: rate.optional(),
  reasoning: rate.optional(),
});

/** @throws PriceTableError */
export function parsePriceTable(text: string): PriceList {
  const data = parseYaml(text);
  if (!isObject(data)) throw new PriceTableError('the price table must be a map from model name to its prices');
  if (Array.isArray(data['data'])) return priceListOf(data);
  return new Map(Object.entries(data).map(([name, value]) => [name, { pricing: perToken(name, value) }]));
}

/** OpenRouter's listing as a price list; entries of another shape are skipped. */
export function priceListOf(listing: unknown): PriceList {
  const data = isObject(listing) && Array.isArray(listing['data']) ? (listing['data'] as unknown[]) : [];
  return new Map(
    data.filter(isObject).flatMap((one) => (typeof one['id'] === 'string' ? [[one['id'], one] as const] : [])),
  );
}

/** A rate that is missing is the plain input or output rate: a cap may stop a run early, never late. */
function perToken(name: string, value: unknown): Record<string, string> {
  const checked = entry.safeParse(value);
  if (!checked.success) {
    const field = checked.error.issues[0]?.path.join('.') ?? '';
    throw new PriceTableError(
      `prices of "${name}": ${field || 'the entry'} is missing or is not a number of USD per million tokens (fields: input, output, cacheRead, cacheWrite, reasoning)`,
    );
  }
  const { input, output, cacheRead, cacheWrite, reasoning } = checked.data;
  return {
    prompt: millionth(input),
    completion: millionth(output),
    input_cache_read: millionth(cacheRead ?? input),
    input_cache_write: millionth(cacheWrite ?? input),
    internal_reasoning: millionth(reasoning ?? output),
  };
}

function millionth(value: string | number): string {
  const units = (parseDecimal(value) ?? 0n) / 1_000_000n;
  return `${String(units / SCALE)}.${String(units % SCALE).padStart(18, '0')}`;
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch {
    throw new PriceTableError('the price table is not valid YAML');
  }
}
