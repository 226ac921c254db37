import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { controllerOf, keyOf, type Live } from '../../kube/object.ts';
import { BY_OWNER, type ReconcilerDeps } from '../deps.ts';
import { BATCH_LABEL, ORDER_ANNOTATION, RUN_LABEL } from '../labels.ts';
import { mayAct } from '../pod/attempt-state.ts';
import { earliest, parseTime } from '../timestamps.ts';
import { admit, admissionState } from './admission.ts';

/**
 * Decides which runs of the batch may have a pod, and wakes those that were just admitted.
 * @returns when the next run that waits for its next attempt becomes ready; null: none waits.
 */
export function admitRuns(
  deps: ReconcilerDeps,
  batch: Live<Batch>,
  runs: readonly Live<Run>[],
  accepted: boolean,
): number | null {
  const { uid } = batch.metadata;
  const { spec } = batch;
  const now = deps.now();
  const before = deps.admitted.get(uid) ?? new Set<string>();
  const states = inTaskOrder(runs).map((run) => ({
    name: run.metadata.name,
    state: admissionState(run, isActing(deps, run), now),
  }));
  const stopped = !accepted || spec.suspend || spec.cancel;
  const after = admit(states, stopped ? 0 : spec.parallelism - slotsOfDeletedRuns(deps, batch, runs), before);
  deps.admitted.set(uid, after);
  for (const run of runs) {
    if (after.has(run.metadata.name) && !before.has(run.metadata.name)) deps.wakeRun(keyOf(run));
  }
  const nextAttempts = runs.map((run) => parseTime(run.status?.nextAttemptTime));
  return earliest(nextAttempts.filter((at) => at !== null && at > now));
}

function inTaskOrder(runs: readonly Live<Run>[]): readonly Live<Run>[] {
  const order = (run: Run): number => Number(run.metadata.annotations?.[ORDER_ANNOTATION] ?? '0');
  return runs.toSorted((left, right) => order(left) - order(right));
}

/** Pods that still act and whose run was deleted. Each occupies a slot until it has ended. */
function slotsOfDeletedRuns(deps: ReconcilerDeps, { metadata }: Live<Batch>, runs: readonly Live<Run>[]): number {
  const known = new Set(runs.map((run) => run.metadata.uid));
  const ours = deps.pods.list(metadata.namespace).filter(({ metadata: { labels = {} } }) => {
    return labels[BATCH_LABEL] === metadata.name && labels[RUN_LABEL] !== undefined;
  });
  return ours.filter((pod) => !known.has(controllerOf(pod)?.uid ?? '') && mayAct(pod)).length;
}

function isActing(deps: ReconcilerDeps, run: Live<Run>): boolean {
  return deps.pods.byIndex(BY_OWNER, run.metadata.uid).some(mayAct);
}
