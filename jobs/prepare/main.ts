import { pino } from 'pino';
import type { PrepareMessage } from '../../benchmark/protocol/job-messages.ts';
import { batchPrefix } from '../../benchmark/protocol/names.ts';
import { createClient, type KubeClient } from '../../kube/client.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { resource } from '../../kube/resource.ts';
import { readJobConfig, type JobConfig } from '../pod/job-config.ts';
import { writeTermination } from '../pod/termination-message.ts';
import { checkHarnesses } from './check-harnesses.ts';
import { checkJudge, checkModels } from './check-models.ts';
import { checkMail } from './check-mail.ts';
import { checkNames } from './check-names.ts';
import { checkPrefixIsFree, checkStore } from './check-store.ts';
import { checkPrices } from './check-prices.ts';
import { checkSuite } from './check-suite.ts';
import { readSuiteFiles } from './read-suite.ts';
import { BatchRefusal } from './refusal.ts';
import { tasksConfigMap } from './tasks-config-map.ts';

/**
 * The `prepare` Job, one per batch. It mounts the batch's Secrets (which the operator may not read), checks everything that
 * can be checked before money is spent, and writes the task list. A problem becomes the message of the batch's
 * `Accepted=False`.
 */

async function writeTasks(
  client: KubeClient,
  job: JobConfig,
  rows: Parameters<typeof tasksConfigMap>[1],
): Promise<void> {
  try {
    await resource(client, CONFIG_MAPS, job.namespace).create(tasksConfigMap(job, rows));
  } catch (error) {
    // An earlier attempt of this Job created it. It is immutable, and the operator checks who owns it.
    if (!isAlreadyExists(error)) throw error;
  }
}

async function prepare(client: KubeClient): Promise<PrepareMessage> {
  const job = await readJobConfig(process.env, client);
  const rows = checkSuite(await readSuiteFiles(job), job.spec.suite);
  await checkHarnesses(job.spec.harnesses);
  const models = await checkModels(job);
  checkNames(job, models);
  await checkPrices(job, models);
  await checkJudge(job);
  await checkMail(job);
  const store = await checkStore(job);
  const prefixes = models.flatMap((model) =>
    job.spec.harnesses.map((harness) => `${batchPrefix(job.batch, harness.name, model)}/`),
  );
  await checkPrefixIsFree(job, store, prefixes);
  await writeTasks(client, job, rows);
  return { ok: true, tasks: rows.length, models: [...models] };
}

const log = pino({ name: 'prepare' });
const client = createClient();
try {
  const message = await prepare(client);
  log.info(message, 'prepared');
  writeTermination(message);
} catch (error) {
  const refusal = error instanceof BatchRefusal ? error : null;
  if (refusal === null) log.error({ error: String(error) }, 'prepare failed');
  const message = refusal?.message ?? `prepare failed: ${error instanceof Error ? error.message : String(error)}`;
  writeTermination({
    ok: false,
    reason: refusal?.reason ?? 'PrepareFailed',
    message,
    retryable: true,
  } satisfies PrepareMessage);
} finally {
  await client.close();
}
