import { isObject } from '../../benchmark/text/json.ts';
import { runOfAttempt } from '../../benchmark/protocol/names.ts';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { TaskError, type Task } from '../../benchmark/task/task.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { joinLiveChunks } from '../../store/join-live-chunks.ts';
import { writeRunMeta } from '../../store/run-meta.ts';
import { putJson, getJson, textOf, type StoredJson } from './stored-json.ts';

/** Whose claim counts: UID of the batch, or of the run that was made by hand. */
export interface PromotionContext {
  readonly store: ObjectStore;
  readonly batchUID: string;
  readonly taskOf: (caseName: string) => Task;
}

/**
 * Closes a run whose retries are used up: the last attempt's meta becomes the run's, so that the run is counted (an
 * infrastructure failure stays in the denominator). For an attempt that died before it wrote one, its live chunks are
 * joined and a meta is made of what the operator knows. A run that another attempt has claimed is that one's: its own
 * meta is put in place, and no other.
 * @returns prefix of the attempt that counts.
 */
export async function promoteAttempt({ store, batchUID, taskOf }: PromotionContext, row: JudgeRow): Promise<string> {
  const counting = await attemptThatCounts({ store, batchUID }, row.prefix);
  if (counting !== row.prefix) {
    await writeRunMeta(store, counting, null);
    return counting;
  }
  const attempt = await getJson(store, `${row.prefix}attempt-meta.json`);
  if (attempt === null) await joinLiveChunks(store, row.prefix);
  const meta = attempt ?? metaOfDeadAttempt(row, knownTask(row, taskOf), await wasIntercepted(store, row.prefix));
  if (attempt === null) await putJson(store, `${row.prefix}attempt-meta.json`, meta);
  // What stands there already (closed by the recorder after all, or by an earlier Job) counts and stays.
  await writeRunMeta(store, row.prefix, overruled(meta, row));
  return row.prefix;
}

/** Prefix of the attempt that has claimed the run, else the given one. */
export async function attemptThatCounts(
  { store, batchUID }: Pick<PromotionContext, 'store' | 'batchUID'>,
  prefix: string,
): Promise<string> {
  return (await claimedPrefix(store, prefix, batchUID)) ?? prefix;
}

/** The attempt of this run that the claim names; null: nobody of this batch has claimed the run. */
async function claimedPrefix(store: ObjectStore, prefix: string, batchUID: string): Promise<string | null> {
  const run = runOfAttempt(prefix);
  const claim = await getJson(store, `${run}/claim.json`);
  const outcome = claim?.['outcome'];
  if (claim?.['batchUID'] !== batchUID || !isObject(outcome)) return null;
  const claimed = textOf(outcome['prefix']);
  return claimed.startsWith(`${run}/`) && runOfAttempt(claimed) === run ? claimed : null;
}

/**
 * The recorder blamed the Pod's end, and the operator found that nobody ended it: the agent's own failure, also in
 * upstream's words, or it would leave the denominators by saying so. Null: the attempt's meta stands as it is.
 */
function overruled(meta: StoredJson, { outcome, reason }: JudgeRow): StoredJson | null {
  const ours = isObject(meta['clawbench']) ? meta['clawbench'] : {};
  if (outcome !== 'Failed' || ours['cause'] !== 'infrastructure') return null;
  const { failure_reason: _theirs, ...rest } = meta;
  const category = 'model_not_intercepted';
  return {
    ...rest,
    result_category: category,
    failure_category: category,
    infra_failure: false,
    adjusted_eligible: true,
    clawbench: { ...ours, cause: 'agentExited', outcome, reason },
  };
}

/** Null for a run made by hand that names a case which the suite does not have: nobody checked it before. */
function knownTask(row: JudgeRow, taskOf: (caseName: string) => Task): Task | null {
  try {
    return taskOf(row.case);
  } catch (error) {
    if (error instanceof TaskError) return null;
    throw error;
  }
}

/** A pod that died after the match left the interception behind: that stays one, whatever became of the rest. */
async function wasIntercepted(store: ObjectStore, prefix: string): Promise<boolean> {
  return (await getJson(store, `${prefix}data/interception.json`))?.['intercepted'] === true;
}

function metaOfDeadAttempt(row: JudgeRow, task: Task | null, intercepted: boolean): StoredJson {
  const category = categoryOf(row, intercepted);
  return {
    test_case: row.case,
    ...taskFields(task),
    model: row.model,
    harness: row.harness,
    intercepted,
    result_category: category,
    failure_category: intercepted ? null : category,
    infra_failure: category === 'infra_failure',
    adjusted_eligible: intercepted,
    infra_flags: [],
    failure_reason: `${intercepted ? 'infra_failure' : category}: waiting_for_container: ${row.reason ?? 'PodFailed'}: the attempt left no meta`,
    clawbench: {
      repetition: row.repetition,
      outcome: row.outcome ?? 'Infrastructure',
      reason: row.reason ?? 'PodFailed',
      complete: false,
    },
  };
}

/** A task that cannot be read is nobody's failure but the suite's, in upstream's words too. */
function categoryOf({ reason }: JudgeRow, intercepted: boolean): string {
  if (intercepted) return 'intercepted';
  return reason === 'TaskMismatch' ? 'task_data' : 'infra_failure';
}

function taskFields(task: Task | null): StoredJson {
  if (task === null) return { instruction: '', time_limit_minutes: null };
  return { ...task.metadata, instruction: task.instruction, time_limit_minutes: task.timeLimitMinutes };
}
