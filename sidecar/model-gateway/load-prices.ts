import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import { parseJson } from '../../benchmark/text/json.ts';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { parsePriceTable, PriceTableError, priceListOf } from '../../benchmark/usage/price-table.ts';
import { isOpenRouter, type PriceList } from '../../benchmark/usage/price.ts';

const TIMEOUT_MS = 5000;
const TRIES = 3;

export interface PriceOptions {
  /** Called when there are no list prices; the run continues without them. */
  readonly onProblem: (sentence: string) => void;
  readonly dispatcher?: Dispatcher;
  readonly pauseMs?: number;
}

/**
 * Prices for a run: the table in the models Secret, then OpenRouter's list (only for a model that is reached through
 * OpenRouter). Without either, usage has tokens but no cost.
 * @throws PriceTableError when the table cannot be used.
 */
export async function loadPrices(
  directory: string,
  file: string,
  model: ModelEntry,
  options: PriceOptions,
): Promise<PriceList> {
  const table = await tableIn(directory, file);
  const written = table === null ? new Map<string, unknown>() : parsePriceTable(table);
  return new Map([...(await listing(model, options)), ...written]);
}

/** Null: the Secret has no table. */
async function tableIn(directory: string, file: string): Promise<string | null> {
  try {
    return await readFile(join(directory, file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new PriceTableError(`the price table ${file} cannot be read: ${code ?? 'unknown'}`);
  }
}

/** Retries, because one lost packet must not end a run with a cost cap at its first call. */
async function listing(model: ModelEntry, options: PriceOptions): Promise<PriceList> {
  if (!isOpenRouter(model.baseUrl)) return new Map();
  let problem = '';
  for (let tried = 1; tried <= TRIES; tried += 1) {
    if (tried > 1) await setTimeout((options.pauseMs ?? 500) * tried);
    const found = await askOnce(`${model.baseUrl}/models`, options.dispatcher);
    if (typeof found !== 'string') return found;
    problem = found;
  }
  options.onProblem(problem);
  return new Map();
}

/** The list, or why there is none. The provider's answer is not quoted: it may quote the request. */
async function askOnce(url: string, dispatcher: Dispatcher | undefined): Promise<PriceList | string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { statusCode, body } = await request(url, { signal, ...(dispatcher === undefined ? {} : { dispatcher }) });
    const text = await body.text();
    if (statusCode !== 200) return `the price list answered HTTP ${String(statusCode)}`;
    const parsed = parseJson(text);
    const list = parsed.ok ? priceListOf(parsed.value) : new Map<string, unknown>();
    return list.size === 0 ? 'the answer of the price list is not a list of prices' : list;
  } catch {
    return 'the price list cannot be reached';
  }
}
