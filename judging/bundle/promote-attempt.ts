import { isObject } from '../../benchmark/text/json.ts';
import { runOfAttempt } from '../../benchmark/protocol/names.ts';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { TaskError, type Task } from '../../benchmark/task/task.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { joinLiveChunks } from '../../store/join-live-chunks.ts';
import { writeRunMeta } from '../../store/run-meta.ts';
import { putJson, getJson, textOf, type StoredJson } from './stored-json.ts';

/** The batch whose claims count: its UID, or that of the standalone run. */
export interface PromotionContext {
  readonly store: ObjectStore;
  readonly batchUID: string;
  readonly taskOf: (caseName: string) => Task;
}

/**
 * Closes a run whose retries are exhausted: the last attempt's meta becomes the run's meta, so that the run is counted (an
 * infrastructure failure stays in the denominator). For an attempt that died before it wrote its meta, the live chunks are
 * joined and the meta is built from what the operator knows. When another attempt has claimed the run, that attempt's meta
 * becomes the run's.
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
  // A run-meta that already exists (from the recorder after all, or from an earlier Job) is kept.
  await writeRunMeta(store, row.prefix, overruled(meta, row));
  return row.prefix;
}

/** Prefix of the attempt that has claimed the run, or the given prefix. */
export async function attemptThatCounts(
  { store, batchUID }: Pick<PromotionContext, 'store' | 'batchUID'>,
  prefix: string,
): Promise<string> {
  return (await claimedPrefix(store, prefix, batchUID)) ?? prefix;
}

/** The attempt of this run that the claim names; null: no attempt of this batch has claimed the run. */
async function claimedPrefix(store: ObjectStore, prefix: string, batchUID: string): Promise<string | null> {
  const run = runOfAttempt(prefix);
  const claim = await getJson(store, `${run}/claim.json`);
  const outcome = claim?.['outcome'];
  if (claim?.['batchUID'] !== batchUID || !isObject(outcome)) return null;
  const claimed = textOf(outcome['prefix']);
  return claimed.startsWith(`${run}/`) && runOfAttempt(claimed) === run ? claimed : null;
}

/**
 * The run-meta when the operator overrules the recorder: the recorder reported that its Pod was terminated, but the operator
 * found no cause other than the agent. Upstream's category has to say so too, or the agent could leave the denominator by
 * ending its Pod. Null: the attempt's meta is used as it is.
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

/** Null for a standalone run whose case is not in the suite: no `prepare` Job has checked it. */
function knownTask(row: JudgeRow, taskOf: (caseName: string) => Task): Task | null {
  try {
    return taskOf(row.case);
  } catch (error) {
    if (error instanceof TaskError) return null;
    throw error;
  }
}

/** A Pod that died after the match leaves `interception.json`: the run stays intercepted, whatever else is missing. */
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

/** A task that cannot be read is a failure of the suite, in upstream's categories too. */
function categoryOf({ reason }: JudgeRow, intercepted: boolean): string {
  if (intercepted) return 'intercepted';
  return reason === 'TaskMismatch' ? 'task_data' : 'infra_failure';
}

function taskFields(task: Task | null): StoredJson {
  if (task === null) return { instruction: '', time_limit_minutes: null };
  return { ...task.metadata, instruction: task.instruction, time_limit_minutes: task.timeLimitMinutes };
}
