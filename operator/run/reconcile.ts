import { RUNS, type Batch, type Run } from '../../kube/clawbench-kinds.ts';
import { controllerOf, keyOf, type Live } from '../../kube/object.ts';
import type { Requeue } from '../../kube/queue.ts';
import { resource } from '../../kube/resource.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { CONFLICT_RETRY_MS } from '../retry-delays.ts';
import { writeStatus } from '../write-status.ts';
import { applyRunDecision } from './apply-action.ts';
import { decideRun, type RunDecision } from './decide.ts';
import { loadRun } from './load.ts';
import { recordRunEvents } from './record-run-events.ts';
import { taskEntryOf } from './run-config.ts';

/** Reconciles one run of a batch: load, decide, act, write the status once, record events. */
export function createRunReconciler(deps: ReconcilerDeps): (run: Live<Run>) => Promise<Requeue | void> {
  const runs = resource(deps.client, RUNS);
  return async (run) => {
    const batch = batchOf(deps, run);
    if (batch === null) return;
    const taskEntry = taskEntryOf(run, (await deps.tasks.of(batch)) ?? []);
    if (taskEntry === null) return;

    const context = { run, batch, taskEntry };
    const decision = await applyRunDecision(deps, context, decideRun(await loadRun(deps, context)));
    const written = await writeStatus(runs, run, decision.status);
    if (written.result === 'stale') return { requeueAfterMs: CONFLICT_RETRY_MS };
    if (written.result === 'written') recordRunEvents(deps, run, written.object, batch.spec.suite.name);
    return requeue(decision, deps.now());
  };
}

/**
 * The run's batch, if that batch created this run and still exists. A run that only claims to belong to a batch is
 * ignored.
 */
function batchOf(deps: ReconcilerDeps, run: Live<Run>): Live<Batch> | null {
  const batch = deps.batches.get(
    keyOf({ metadata: { namespace: run.metadata.namespace ?? '', name: run.spec.batchRef?.name ?? '' } }),
  );
  if (batch === undefined || batch.metadata.deletionTimestamp !== undefined) return null;
  const { uid } = batch.metadata;
  return run.spec.batchRef?.uid === uid && controllerOf(run)?.uid === uid ? batch : null;
}

function requeue(decision: RunDecision, now: number): Requeue | void {
  if (decision.requeueAt !== null) return { requeueAfterMs: Math.max(50, decision.requeueAt - now) };
}
