import type { Logger } from 'pino';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import type { Task } from '../../benchmark/task/task.ts';
import { askedRubrics, type JudgeSpec } from '../../crds/blocks/judge.ts';
import type { Resource } from '../../kube/resource.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { References } from '../../judging/agentic/find-reference.ts';
import { ProviderError } from '../../judging/call/provider-error.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { JudgeModel } from '../../judging/rubric/ask-rubric.ts';
import { judgeRun, RunUnreadable } from '../../judging/run/judge-run.ts';
import { attemptThatCounts, promoteAttempt, type PromotionContext } from '../../judging/bundle/promote-attempt.ts';
import { applyRunStatus, runVerdicts, type RunVerdicts } from './apply-run-status.ts';
import { getJson } from '../../judging/bundle/stored-json.ts';
import type { JobConfig } from '../pod/job-config.ts';

/** The dependencies of one judge Job. */
export interface JudgeJob {
  readonly job: JobConfig;
  readonly store: ObjectStore;
  readonly runs: Resource<Run>;
  readonly judge: JudgeModel | ProviderError;
  readonly references: References | null;
  readonly taskOf: (name: string) => Task;
  readonly log: Logger;
}

/** Judges one run of the list, or promotes its last attempt, and applies the result to the run's status. */
export async function judgeOrPromote(work: JudgeJob, row: JudgeRow): Promise<'judged' | 'promoted'> {
  const { judge } = work.job.spec;
  if (row.action === 'Promote' || judge === undefined) {
    const prefix = await promoteAttempt(promotionOf(work), row);
    await applyRunStatus(work.runs, { ...row, prefix }, {});
    work.log.info({ run: row.run, reason: row.reason }, 'promoted');
    return 'promoted';
  }
  const counting = { ...row, prefix: await closeOpen(work, row) };
  const verdicts = await verdictsOf(work, judge, counting);
  requireAll(verdicts, judge, counting);
  await applyRunStatus(work.runs, counting, verdicts);
  const matches = Object.fromEntries(Object.entries(verdicts).map(([name, one]) => [name, one.match]));
  work.log.info({ run: row.run, verdicts: matches }, 'judged');
  return 'judged';
}

function promotionOf({ job, store, taskOf }: JudgeJob): PromotionContext {
  return { store, batchUID: job.batchUID, taskOf };
}

/**
 * Closes a run that its recorder left open (it died after the match, or the operator overruled it), with the evidence that
 * is stored. A run that is closed already is left as it is.
 * @returns prefix of the attempt that counts.
 */
async function closeOpen(work: JudgeJob, row: JudgeRow): Promise<string> {
  const { store } = work;
  const isClosed = async (prefix: string): Promise<boolean> =>
    (await getJson(store, `${prefix}run-meta.json`)) !== null;
  if (await isClosed(row.prefix)) return row.prefix;
  // An attempt stores nothing when another attempt has claimed the run: then that attempt's bundle is judged.
  const counting = await attemptThatCounts(promotionOf(work), row.prefix);
  if (await isClosed(counting)) return counting;
  // The bundle was deleted: nothing shows how its run ended.
  if (!(await isAnythingLeft(store, counting))) throw new RunUnreadable(`no objects found under ${counting}`);
  return promoteAttempt(promotionOf(work), row);
}

async function isAnythingLeft(store: ObjectStore, prefix: string): Promise<boolean> {
  if ((await getJson(store, `${prefix}attempt-meta.json`)) !== null) return true;
  for (const part of ['data/', 'live/']) {
    for await (const _object of store.list(prefix + part)) return true;
  }
  return false;
}

/**
 * When the bundle cannot be judged by every rubric that the operator requested, the run stays open: applying the other
 * verdicts alone would remove the one that the status has, and the run would be listed again at once.
 * @throws RunUnreadable
 */
function requireAll(verdicts: RunVerdicts, spec: JudgeSpec, row: JudgeRow): void {
  // A row without an outcome has an intercepted request, which every rubric judges.
  const asked = askedRubrics(spec).filter((rubric) => row.outcome === undefined || rubric === 'Agentic');
  const without = asked.filter((rubric) => verdicts[rubric] === undefined);
  if (without.length === 0) return;
  throw new RunUnreadable(`${row.prefix} has no evidence that the rubric ${without.join(', ')} could judge`);
}

async function verdictsOf({ judge, ...work }: JudgeJob, spec: JudgeSpec, row: JudgeRow): Promise<RunVerdicts> {
  if (judge instanceof ProviderError) throw judge;
  const files = await judgeRun(
    {
      ...judge,
      store: work.store,
      rubrics: askedRubrics(spec),
      passRubric: spec.passRubric,
      taskOf: work.taskOf,
      keep: { judgeModel: spec.model },
      agentic: { references: work.references },
      updateMeta: true,
    },
    row,
  );
  return runVerdicts(files);
}
