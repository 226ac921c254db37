import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { parseModels } from '../../benchmark/models/models-file.ts';
import { isOpenRouter, matchModelId } from '../../benchmark/usage/price.ts';
import { parsePriceTable, PriceTableError } from '../../benchmark/usage/price-table.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { MODELS_DIR, readMounted } from '../pod/secret-mount.ts';
import { BatchRefusal } from './refusal.ts';

/**
 * A cost cap needs a price for every call: without one, the gateway would stop each run after its first call. Models that
 * are reached through OpenRouter get their prices from its listing.
 * @param models keys of models.yaml that will run. @throws BatchRefusal
 */
export async function checkPrices(
  job: Pick<JobConfig, 'spec' | 'harnessUsesModel'>,
  models: readonly string[],
  directory = MODELS_DIR,
): Promise<void> {
  const { budget, models: block } = job.spec;
  const { name: secret, key } = block.secretRef ?? { name: '', key: '' };
  const table = await readMounted(directory, 'prices.yaml');
  const prices = table === null ? [] : idsOf(table, secret);
  if (!job.harnessUsesModel || budget?.perRunCostUSD === undefined) return;
  const entries = parseModels((await readMounted(directory, key)) ?? '{}');
  const without = models.find((name) => !isPriced(entries.get(name), name, prices));
  if (without === undefined) return;
  throw new BatchRefusal(
    'PriceUnknown',
    `spec.budget.perRunCostUSD: model ${without} has no price; add its price to prices.yaml in Secret ${secret}, or use perRunTokens`,
  );
}

function idsOf(table: string, secret: string): readonly string[] {
  try {
    return [...parsePriceTable(table).keys()];
  } catch (error) {
    if (error instanceof PriceTableError)
      throw new BatchRefusal('PricesInvalid', `spec.models.secretRef: Secret ${secret}: ${error.message}`);
    throw error;
  }
}

function isPriced(entry: ModelEntry | undefined, name: string, prices: readonly string[]): boolean {
  return (entry !== undefined && isOpenRouter(entry.baseUrl)) || matchModelId([name], prices) !== null;
}
