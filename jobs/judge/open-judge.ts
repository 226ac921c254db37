import { parseModels } from '../../benchmark/models/models-file.ts';
import type { PriceList } from '../../benchmark/usage/price.ts';
import { parsePriceTable, PriceTableError } from '../../benchmark/usage/price-table.ts';
import { ProviderError } from '../../judging/call/provider-error.ts';
import { openRateLimitedChat } from '../../judging/call/rate-limited-chat.ts';
import type { JudgeModel } from '../../judging/rubric/ask-rubric.ts';
import { countSpend, type SpendCounter } from './count-spend.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { log } from './log.ts';
import { JUDGE_MODELS_DIR, readMounted } from '../pod/secret-mount.ts';

/** The judge that the batch names. One that cannot be opened is a pause: what needs no verdict is done without it. */
export async function openJudge(job: JobConfig): Promise<(JudgeModel & SpendCounter) | ProviderError> {
  const { judge } = job.spec;
  if (judge === undefined) return new ProviderError('Pause', 0, 'the batch has no judge');
  const { name, key } = judge.modelsSecretRef;
  const text = await readMounted(JUDGE_MODELS_DIR, key);
  const gone = `spec.judge.modelsSecretRef: there is no Secret ${name} with the key ${key} in namespace ${job.namespace}`;
  if (text === null) return new ProviderError('Pause', 0, gone);
  const model = parseModels(text).get(judge.model);
  if (model === undefined) return new ProviderError('Pause', 0, `Secret ${name} has no model ${judge.model}`);
  const meter = countSpend(openRateLimitedChat(model, judge.workers), judge.model, await readPrices());
  return { ...meter, model: judge.model, structured: model.structuredOutput ?? false };
}

/** Beside the models; a table that cannot be read leaves the calls without a price. */
async function readPrices(): Promise<PriceList> {
  try {
    return parsePriceTable((await readMounted(JUDGE_MODELS_DIR, 'prices.yaml')) ?? '{}');
  } catch (error) {
    if (!(error instanceof PriceTableError)) throw error;
    log.warn({ error: error.message }, 'prices.yaml cannot be used');
    return new Map();
  }
}

/** What an error might quote and a status must not hold. */
export async function secretsOf({ spec: { judge } }: JobConfig): Promise<string[]> {
  const text = judge === undefined ? null : await readMounted(JUDGE_MODELS_DIR, judge.modelsSecretRef.key);
  const keys = text === null ? [] : [...parseModels(text).values()].flatMap((model) => model.keys);
  return [...keys, ...storeSecrets()];
}

/** Those that are known before any file was read. */
export function storeSecrets(): string[] {
  const values = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].map((name) => process.env[name]);
  return values.filter((value) => value !== undefined);
}
