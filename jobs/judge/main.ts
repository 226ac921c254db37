import { pino, type Logger } from 'pino';
import { judgeRow, taskRow, type JudgeMessage } from '../../benchmark/protocol/job-messages.ts';
import { createRedactor, type Redactor } from '../../benchmark/bundle/redact.ts';
import { readSuite } from '../../benchmark/task/suite.ts';
import { parseTask, type Task } from '../../benchmark/task/task.ts';
import { createClient, type KubeClient } from '../../kube/client.ts';
import { resource } from '../../kube/resource.ts';
import { openStore } from '../../store/open.ts';
import { ProviderError } from '../../judging/call/provider-error.ts';
import { readJobConfig, type JobConfig } from '../pod/job-config.ts';
import { openJudge, secretsOf, storeSecrets } from './open-judge.ts';
import { openReferences } from './open-references.ts';
import { readRowList } from './read-row-list.ts';
import { failedResult, judgeResult, withSpend } from './termination.ts';
import { suiteFiles } from '../pod/suite-files.ts';
import { summarise } from './summarise.ts';
import { writeTermination } from '../pod/termination-message.ts';
import { judgeOrPromote, type JudgeJob } from './judge-or-promote.ts';
import { RUNS } from '../../kube/clawbench-kinds.ts';
import { judgeRuns } from '../../judging/run/judge-runs.ts';

/**
 * The judge Job: it processes its list of runs (judge those that wait for a verdict, promote those whose attempt died),
 * applies each verdict as it arrives, then writes the batch-level objects. When the provider is down, the remaining runs
 * stay unjudged and the termination message says so; the operator starts another Job later. A missing answer is never a
 * verdict.
 */

/** Runs in progress per allowed call: while one call waits for its reply, the evidence for the next one is read. */
const ROWS_PER_WORKER = 2;

async function readTasks(job: JobConfig): Promise<(name: string) => Task> {
  const suite = readSuite(await suiteFiles(job));
  const bytes = new Map(suite.cases.map((one) => [one.name, one.taskBytes]));
  return (name) => parseTask(bytes.get(name) ?? '');
}

async function main(client: KubeClient, log: Logger): Promise<JudgeMessage> {
  const job = await readJobConfig(process.env, client);
  const { secretRef: _secret, ...where } = job.spec.artifacts.s3;
  const judge = await openJudge(job, log);
  const work: JudgeJob = {
    job,
    store: await openStore({ kind: 's3', s3: where }, { retrySeconds: 120 }),
    runs: resource(client, RUNS, job.namespace),
    judge,
    references: await openReferences(job),
    taskOf: await readTasks(job),
    log,
  };
  const spent = (): JudgeMessage['usage'] => (judge instanceof ProviderError ? undefined : judge.spent());
  const redact = createRedactor(await secretsOf(job));
  return withSpend(() => workAll(work, spent, redact), spent, redact);
}

async function workAll(work: JudgeJob, spent: () => JudgeMessage['usage'], redact: Redactor): Promise<JudgeMessage> {
  const list = await readRowList(process.env['CLAWBENCH_LIST'] ?? '/list/runs.json', (value) => judgeRow.parse(value));
  const tasks = await readRowList(process.env['CLAWBENCH_TASKS'] ?? '/tasks/tasks.json', (value) =>
    taskRow.parse(value),
  );
  const result = await judgeRuns(
    list,
    ROWS_PER_WORKER * (work.job.spec.judge?.workers ?? 4),
    (row) => judgeOrPromote(work, row),
    (row, error) => {
      work.log.error({ run: row.run, error: String(error) }, 'run could not be judged or closed');
    },
  );
  const summarised = await summarise(work, tasks);
  return judgeResult(result, { summarised, usage: spent() }, redact);
}

const client = createClient();
const log = pino({ name: 'judge' });
try {
  const message = await main(client, log);
  log.info(message, 'judge Job finished');
  writeTermination(message);
} catch (error) {
  const message = failedResult(error, createRedactor(storeSecrets()));
  log.error({ error: message.message }, 'judge Job failed');
  writeTermination(message);
} finally {
  await client.close();
}
