import { isObject } from '../../benchmark/json.ts';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { TaskError, type Task } from '../../benchmark/task.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { joinLiveChunks } from '../../store/join-live.ts';
import { writeRunMeta } from '../../store/run-meta.ts';
import { putJson, readJson, type JsonObject } from './stored-json.ts';

/**
 * Closes a run whose retries are used up: the last attempt's meta becomes the run's, so that the run is counted (an
 * infrastructure failure stays in the denominator). For an attempt that died before it wrote one, its live chunks are
 * joined and a meta is made of what the operator knows.
 */
export async function promote(store: ObjectStore, row: JudgeRow, taskOf: (caseName: string) => Task): Promise<void> {
  const attempt = await readJson(store, `${row.prefix}attempt-meta.json`);
  if (attempt === null) await joinLiveChunks(store, row.prefix);
  const meta = attempt ?? metaOfDeadAttempt(row, knownTask(row, taskOf), await wasIntercepted(store, row.prefix));
  if (attempt === null) await putJson(store, `${row.prefix}attempt-meta.json`, meta);
  // What stands there already (closed by the recorder after all, or by an earlier Job) counts and stays.
  await writeRunMeta(store, row.prefix, overruled(meta, row));
}

/**
 * The recorder blamed the Pod's end, and the operator found that nobody ended it: the agent's own failure, also in
 * upstream's words, or it would leave the denominators by saying so. Null: the attempt's meta stands as it is.
 */
function overruled(meta: JsonObject, { outcome, reason }: JudgeRow): JsonObject | null {
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
  return (await readJson(store, `${prefix}data/interception.json`))?.['intercepted'] === true;
}

function metaOfDeadAttempt(row: JudgeRow, task: Task | null, intercepted: boolean): JsonObject {
  const category = intercepted ? 'intercepted' : 'infra_failure';
  return {
    test_case: row.case,
    ...taskFields(task),
    model: row.model,
    harness: row.harness,
    intercepted,
    result_category: category,
    failure_category: intercepted ? null : category,
    infra_failure: !intercepted,
    adjusted_eligible: intercepted,
    infra_flags: [],
    failure_reason: `infra_failure: waiting_for_container: ${row.reason ?? 'PodFailed'}: the attempt left no meta`,
    clawbench: {
      repetition: row.repetition,
      outcome: row.outcome ?? 'Infrastructure',
      reason: row.reason ?? 'PodFailed',
      complete: false,
    },
  };
}

function taskFields(task: Task | null): JsonObject {
  if (task === null) return { instruction: '', time_limit_minutes: null };
  return { ...task.metadata, instruction: task.instruction, time_limit_minutes: task.timeLimitMinutes };
}
