import type { Logger } from 'pino';
import { parseModels } from '../../benchmark/models/models-file.ts';
import type { PriceList } from '../../benchmark/usage/price.ts';
import { parsePriceTable, PriceTableError } from '../../benchmark/usage/price-table.ts';
import { ProviderError } from '../../judging/call/provider-error.ts';
import { openRateLimitedChat } from '../../judging/call/rate-limited-chat.ts';
import type { JudgeModel } from '../../judging/rubric/ask-rubric.ts';
import { countSpend, type SpendCounter } from './count-spend.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { JUDGE_MODELS_DIR, readMounted } from '../pod/secret-mount.ts';

/** The judge that the batch names. If it cannot be opened, the error pauses judging; runs that need no verdict are still processed. */
export async function openJudge(job: JobConfig, log: Logger): Promise<(JudgeModel & SpendCounter) | ProviderError> {
  const { judge } = job.spec;
  if (judge === undefined) return new ProviderError('Pause', 0, 'spec.judge is not set');
  const { name, key } = judge.modelsSecretRef;
  const text = await readMounted(JUDGE_MODELS_DIR, key);
  const gone = `spec.judge.modelsSecretRef: Secret ${name} with key ${key} not found in namespace ${job.namespace}`;
  if (text === null) return new ProviderError('Pause', 0, gone);
  const model = parseModels(text).get(judge.model);
  if (model === undefined)
    return new ProviderError('Pause', 0, `spec.judge.model: Secret ${name} has no model named ${judge.model}`);
  const meter = countSpend(openRateLimitedChat(model, judge.workers), judge.model, await readPrices(log));
  return { ...meter, model: judge.model, structured: model.structuredOutput ?? false };
}

/** `prices.yaml` in the same Secret; with a table that cannot be parsed, the calls have no price. */
async function readPrices(log: Logger): Promise<PriceList> {
  try {
    return parsePriceTable((await readMounted(JUDGE_MODELS_DIR, 'prices.yaml')) ?? '{}');
  } catch (error) {
    if (!(error instanceof PriceTableError)) throw error;
    log.warn({ error: error.message }, 'prices.yaml is not valid; judge calls have no price');
    return new Map();
  }
}

/** Secrets that an error might quote and that must not reach a status. */
export async function secretsOf({ spec: { judge } }: JobConfig): Promise<string[]> {
  const text = judge === undefined ? null : await readMounted(JUDGE_MODELS_DIR, judge.modelsSecretRef.key);
  const keys = text === null ? [] : [...parseModels(text).values()].flatMap((model) => model.keys);
  return [...keys, ...storeSecrets()];
}

/** The secrets that are known before any file is read. */
export function storeSecrets(): string[] {
  const values = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].map((name) => process.env[name]);
  return values.filter((value) => value !== undefined);
}
