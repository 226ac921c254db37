import type { Run } from '../../kube/clawbench-kinds.ts';
import { parseTime } from '../timestamps.ts';

/** Whether a run occupies one of the batch's slots (`spec.parallelism`). */
export type AdmissionState =
  /** It has a pod that may act, so it occupies a slot in any case. */
  | 'active'
  /** It could start now. */
  | 'ready'
  /** Completed, suspended or waiting for its next attempt: it occupies none. */
  | 'idle';

/**
 * Which runs may have a pod: those that have one, those that were admitted before and have not started yet, then the
 * first ready ones in task order, up to `parallelism`. Admission is kept (`previous`): otherwise a run that becomes
 * ready again could displace one whose pod was created a moment ago and is not visible yet, and one too many would run.
 * After a restart it is rebuilt from the pods.
 */
export function admit(
  runs: readonly { name: string; state: AdmissionState }[],
  parallelism: number,
  previous: ReadonlySet<string>,
): Set<string> {
  const admitted = new Set(runs.filter((run) => run.state === 'active').map((run) => run.name));
  const ready = runs.filter((run) => run.state === 'ready');
  const inOrder = [...ready.filter((run) => previous.has(run.name)), ...ready.filter((run) => !previous.has(run.name))];
  for (const run of inOrder) {
    if (admitted.size >= parallelism) break;
    admitted.add(run.name);
  }
  return admitted;
}

/** Phases in which a run has a pod. */
const WITH_POD = new Set(['Pending', 'Starting', 'Running', 'Finalising']);

/** @param acting whether the run has a pod that may still act. */
export function admissionState(run: Run, acting: boolean, now: number): AdmissionState {
  const { phase = 'Queued', nextAttemptTime } = run.status ?? {};
  if (acting || WITH_POD.has(phase)) return 'active';
  if (phase !== 'Queued' || run.spec.suspend || run.spec.cancel) return 'idle';
  return now < (parseTime(nextAttemptTime) ?? 0) ? 'idle' : 'ready';
}
