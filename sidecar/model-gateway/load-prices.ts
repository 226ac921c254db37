import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request, type Dispatcher } from 'undici';
import type { ModelEntry } from '../../benchmark/models-file.ts';
import { parsePriceTable, priceListOf } from '../../benchmark/usage/price-table.ts';
import type { PriceList } from '../../benchmark/usage/price.ts';

const TIMEOUT_MS = 5000;

/**
 * Prices for a run: the table in the models Secret, before what OpenRouter lists (only when the model is reached through
 * it). Without either the bill has tokens and no cost.
 * @throws PriceTableError
 */
export async function loadPrices(
  directory: string,
  file: string,
  model: ModelEntry,
  dispatcher?: Dispatcher,
): Promise<PriceList> {
  const table = await readFile(join(directory, file), 'utf8').catch(() => null);
  const written = table === null ? new Map<string, unknown>() : parsePriceTable(table);
  return new Map([...(await listing(model, dispatcher)), ...written]);
}

async function listing(model: ModelEntry, dispatcher?: Dispatcher): Promise<PriceList> {
  if (!isOpenRouter(model.baseUrl)) return new Map();
  try {
    const answer = await request(`${model.baseUrl}/models`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(dispatcher === undefined ? {} : { dispatcher }),
    });
    return priceListOf(await answer.body.json());
  } catch {
    return new Map();
  }
}

/** By host, not by substring as upstream: `https://openrouter.ai.example` sets no prices. */
export function isOpenRouter(baseUrl: string): boolean {
  return /(?:^|\.)openrouter\.ai$/.test(new URL(baseUrl).hostname);
}
