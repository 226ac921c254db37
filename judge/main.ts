import { pino } from 'pino';
import { categoryGroup } from '../benchmark/category-group.ts';
import {
  judgeRow,
  taskRow,
  type JudgeMessage,
  type JudgeRow,
  type TaskRow,
} from '../benchmark/protocol/job-messages.ts';
import { readSuite } from '../benchmark/suite.ts';
import { parseTask, type Task } from '../benchmark/task.ts';
import { RUN_KIND } from '../crds/group.ts';
import { caseOf } from '../crds/run-as-batch.ts';
import { createClient, type KubeClient } from '../kube/client.ts';
import { resource, type Resource } from '../kube/resource.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { openStore } from '../store/open.ts';
import { ProviderError } from './call/errors.ts';
import { openProvider } from './call/provider.ts';
import { findReferences, type References } from './agentic/find-reference.ts';
import type { PriceList } from '../benchmark/usage/price.ts';
import { parsePriceTable, PriceTableError } from '../benchmark/usage/price-table.ts';
import { createRedactor } from '../benchmark/redact.ts';
import { errorText, judgeResult } from './job/result.ts';
import { readJobConfig, type JobConfig } from './job/job-config.ts';
import { readRows } from './job/read-rows.ts';
import { JUDGE_MODELS_DIR, readMounted } from './job/secret-mount.ts';
import { suiteFiles } from './job/suite-files.ts';
import { writeTermination } from './job/termination.ts';
import { RUNS, type RunObject } from './kinds.ts';
import { parseModels } from '../benchmark/models-file.ts';
import { writeSummary, type BatchRun } from './summary/write-summary.ts';
import { wallHours } from './summary/wall-hours.ts';
import type { Judge } from './work/ask-rubric.ts';
import { judgeRun, type JudgeContext } from './work/judge-run.ts';
import { metered, type Meter } from './work/meter.ts';
import { promote } from './work/promote.ts';
import { applyRunStatus, runVerdicts } from './work/run-status.ts';
import { readJson } from './work/stored-json.ts';
import { workList } from './work/work-list.ts';

/**
 * The judge Job: works its list (judge what was intercepted, promote what died), applies each verdict as it comes, then
 * writes the batch-level objects. A provider that is down leaves the rest unjudged and says so; the operator starts the
 * next Job later. No answer is never a verdict.
 */

/** Rows in hand per call that is allowed: while one call waits for its answer, the next question is read. */
const ROWS_PER_WORKER = 2;

const log = pino({ name: 'judge' });

async function readTasks(job: JobConfig): Promise<(name: string) => Task> {
  const suite = readSuite(await suiteFiles(job));
  const bytes = new Map(suite.cases.map((one) => [one.name, one.taskBytes]));
  return (name) => parseTask(bytes.get(name) ?? '');
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

async function openJudge(job: JobConfig): Promise<(Judge & Meter) | ProviderError> {
  const { judge } = job.spec;
  if (judge === undefined) return new ProviderError('Pause', 0, 'the batch has no judge');
  const { name, key } = judge.modelsSecretRef;
  const text = await readMounted(JUDGE_MODELS_DIR, key);
  const gone = `spec.judge.modelsSecretRef: there is no Secret ${name} with the key ${key} in namespace ${job.namespace}`;
  if (text === null) return new ProviderError('Pause', 0, gone);
  const model = parseModels(text).get(judge.model);
  if (model === undefined) return new ProviderError('Pause', 0, `Secret ${name} has no model ${judge.model}`);
  const meter = metered(openProvider(model, judge.workers), judge.model, await readPrices());
  return { ...meter, model: judge.model, structured: model.structuredOutput ?? false };
}

/** The human sessions that the agentic rubric judges beside; their prefix is one of the bucket, not of the batch. */
async function openReferences({ spec }: JobConfig): Promise<References | null> {
  const prefix = spec.judge?.agentic.referencePrefix ?? '';
  if (prefix === '' || !(spec.judge?.rubrics.includes('Agentic') ?? false)) return null;
  const { secretRef: _secret, ...where } = spec.artifacts.s3;
  return findReferences(await openStore({ kind: 's3', s3: { ...where, prefix } }, { retrySeconds: 120 }), '');
}

/** What an error might quote and a status must not hold. */
async function secrets({ spec: { judge } }: JobConfig): Promise<string[]> {
  const text = judge === undefined ? null : await readMounted(JUDGE_MODELS_DIR, judge.modelsSecretRef.key);
  const keys = text === null ? [] : [...parseModels(text).values()].flatMap((model) => model.keys);
  return [...keys, ...storeSecrets()];
}

function storeSecrets(): string[] {
  const values = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].map((name) => process.env[name]);
  return values.filter((value) => value !== undefined);
}

interface Work {
  readonly job: JobConfig;
  readonly store: ObjectStore;
  readonly runs: Resource<RunObject>;
  readonly judge: (Judge & Meter) | ProviderError;
  readonly references: References | null;
  readonly taskOf: (name: string) => Task;
}

async function workRow(work: Work, row: JudgeRow): Promise<'judged' | 'promoted'> {
  const { judge } = work.job.spec;
  if (row.action === 'Promote' || judge === undefined) {
    await promote(work.store, row, work.taskOf);
    await applyRunStatus(work.runs, row, {});
    log.info({ run: row.run, reason: row.reason }, 'promoted');
    return 'promoted';
  }
  if (work.judge instanceof ProviderError) throw work.judge;
  // Its recorder died between the match and its last object: closed first, with the interception it left.
  if ((await readJson(work.store, `${row.prefix}run-meta.json`)) === null) await promote(work.store, row, work.taskOf);
  const context: JudgeContext = {
    ...work.judge,
    store: work.store,
    rubrics: judge.rubrics,
    passRubric: judge.passRubric,
    taskOf: work.taskOf,
    keep: { judgeModel: judge.model },
    agentic: { references: work.references },
    updateMeta: true,
  };
  const verdicts = runVerdicts(await judgeRun(context, row));
  await applyRunStatus(work.runs, row, verdicts);
  log.info(
    { run: row.run, verdicts: Object.fromEntries(Object.entries(verdicts).map(([name, one]) => [name, one.match])) },
    'judged',
  );
  return 'judged';
}

/** What the batch planned and how each run stands, from the API server. */
async function batchRuns(
  work: Work,
  tasks: ReadonlyMap<string, TaskRow>,
): Promise<{ rows: BatchRun[]; objects: readonly RunObject[] }> {
  const own = await runsOf(work);
  const rows = own.map((run) => {
    const task = caseOf(run);
    const row = tasks.get(task);
    return {
      name: run.metadata.name,
      task,
      model: run.spec.model,
      harness: run.spec.harness.name,
      repetition: run.spec.repetition,
      group: row === undefined ? 'Other' : categoryGroup(row.metaclass, row.class),
      metaclass: row?.metaclass ?? '',
      site: row?.site ?? '',
      outcome: run.status?.outcome ?? null,
      reason: run.status?.reason ?? '',
    };
  });
  const order = [...tasks.keys()];
  rows.sort((a, b) => order.indexOf(a.task) - order.indexOf(b.task) || (a.name < b.name ? -1 : 1));
  return { rows, objects: own };
}

/** The batch's runs; a run made by hand is its own batch. */
async function runsOf({ job, runs }: Work): Promise<readonly RunObject[]> {
  if (job.kind === RUN_KIND) return [await runs.get(job.batch)];
  const { items } = await runs.list({ labelSelector: `claw-bench.com/batch=${job.batch}` });
  return items.filter((run) => run.spec.batchRef?.uid === job.batchUID);
}

async function summarise(work: Work, tasks: readonly TaskRow[]): Promise<number> {
  const { rows, objects } = await batchRuns(work, new Map(tasks.map((row) => [row.case, row])));
  const { judge, suite } = work.job.spec;
  return writeSummary(work.store, {
    batch: work.job.batch,
    dataset: suite.name,
    runs: rows,
    rubrics: judge?.rubrics ?? [],
    passRubric: judge?.passRubric ?? null,
    judgeModel: judge?.model ?? '',
    wallHours: wallHours(objects.map((run) => run.status?.times ?? {})),
  });
}

async function main(client: KubeClient): Promise<JudgeMessage> {
  const job = await readJobConfig(process.env, client);
  const { secretRef: _secret, ...where } = job.spec.artifacts.s3;
  const work: Work = {
    job,
    store: await openStore({ kind: 's3', s3: where }, { retrySeconds: 120 }),
    runs: resource(client, RUNS, job.namespace),
    judge: await openJudge(job),
    references: await openReferences(job),
    taskOf: await readTasks(job),
  };
  const list = await readRows(process.env['CLAWBENCH_LIST'] ?? '/list/runs.json', (value) => judgeRow.parse(value));
  const tasks = await readRows(process.env['CLAWBENCH_TASKS'] ?? '/tasks/tasks.json', (value) => taskRow.parse(value));
  const result = await workList(
    list,
    ROWS_PER_WORKER * (job.spec.judge?.workers ?? 4),
    (row) => workRow(work, row),
    (row, error) => {
      log.error({ run: row.run, error: String(error) }, 'a run could not be judged or closed');
    },
  );
  const summarised = await summarise(work, tasks);
  const usage = work.judge instanceof ProviderError ? undefined : work.judge.spent();
  return judgeResult(result, { summarised, usage }, createRedactor(await secrets(job)));
}

const client = createClient();
try {
  const message = await main(client);
  log.info(message, 'judge Job done');
  writeTermination(message);
} catch (error) {
  const message = `${errorText(error, createRedactor(storeSecrets()))}.`;
  log.error({ error: message }, 'judge Job failed');
  writeTermination({
    ok: false,
    judged: 0,
    unjudged: 0,
    promoted: 0,
    summarised: 0,
    reason: 'JudgeFailed',
    message,
  } satisfies JudgeMessage);
} finally {
  await client.close();
}
