import { prepareMessage } from '../../benchmark/protocol/job-messages.ts';
import { BATCHES, type Batch, type Run } from '../../kube/clawbench-kinds.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import type { Requeue } from '../../kube/queue.ts';
import { resource } from '../../kube/resource.ts';
import { BY_BATCH_UID, BY_OWNER, type ReconcilerDeps } from '../deps.ts';
import { CONFLICT_RETRY_MS } from '../retry-delays.ts';
import { liveUsageOf, type LiveUsage } from '../run/live-usage.ts';
import { earliest } from '../timestamps.ts';
import { writeStatus } from '../write-status.ts';
import { admitRuns } from './admit-runs.ts';
import { applyBatchActions } from './apply-actions.ts';
import { createBatchMemories, type BatchMemories, type BatchMemory } from './create-expectations.ts';
import { decideBatch, type BatchInput } from './decide.ts';
import { jobRequeueAt, loadJobState, loadJudgeJob } from './load-jobs.ts';
import { findNameConflict } from './name-conflict.ts';
import { recordBatchEvents } from './record-batch-events.ts';
import { usageDue } from './usage-write-interval.ts';
import { validateChangedFields, validateBatchSpec } from './validate-spec.ts';

/** Reconciles one batch: load, decide, act, write the status once, admit runs, record events. */
export function createBatchReconciler(
  deps: ReconcilerDeps,
  memories: BatchMemories = createBatchMemories(),
): (key: string) => Promise<Requeue | void> {
  const batches = resource(deps.client, BATCHES);
  return async (key) => {
    const batch = deps.batches.get(key);
    if (batch === undefined) return forget(deps, memories.forget(key));
    if (batch.metadata.deletionTimestamp !== undefined) return;
    const memory = memories.of(key, batch);
    const runs = ownRuns(deps, batch);
    const wait = delayUntilDue(memory, runs.length, deps.now());
    if (wait > 0) return { requeueAfterMs: wait };

    const input = await load(deps, memory, batch, runs);
    const { decision, retryAt } = await applyBatchActions(deps, { memory, batch, runs }, decideBatch(input));
    const written = await writeStatus(batches, batch, decision.status);
    if (written.result === 'stale') return { requeueAfterMs: CONFLICT_RETRY_MS };
    if (written.result === 'written') recordBatchEvents(deps, batch, written.object);
    if (input.usageDue) memory.usageWrittenAt = deps.now();
    const requeueAt = earliest([
      decision.requeueAt,
      admitRuns(deps, batch, runs, input.problem === null),
      retryAt,
      usageDue(runs, memory.usageWrittenAt, deps.now()).at,
      ...jobRequeueTimes(input),
    ]);
    return requeueAt === null ? undefined : { requeueAfterMs: Math.max(20, requeueAt - deps.now()) };
  };
}

/** A reconcile that was in progress when the batch was deleted may have left something. */
function forget(deps: ReconcilerDeps, uid: string | null): void {
  if (uid === null) return;
  deps.admitted.delete(uid);
  deps.tasks.forget(uid);
}

function jobRequeueTimes({ prepare, judge }: BatchInput): (number | null)[] {
  return [jobRequeueAt(prepare), jobRequeueAt(judge?.view)];
}

function ownRuns(deps: ReconcilerDeps, { metadata: { uid } }: Live<Batch>): Live<Run>[] {
  return deps.runs.byIndex(BY_BATCH_UID, uid).filter((run) => controllerOf(run)?.uid === uid);
}

/**
 * A batch changes with each of its runs. A large one is reconciled less often, because each reconcile costs in
 * proportion.
 */
function delayUntilDue(memory: BatchMemory, runs: number, now: number): number {
  const since = now - memory.reconciledAt;
  const least = runs > 200 ? 2000 : 100;
  if (since < least) return least - since;
  memory.reconciledAt = now;
  return 0;
}

async function load(
  deps: ReconcilerDeps,
  memory: BatchMemory,
  batch: Live<Batch>,
  runs: readonly Live<Run>[],
): Promise<BatchInput> {
  const { status = {} } = batch;
  const now = deps.now();
  const tasks = status.tasks === undefined ? null : await deps.tasks.of(batch);
  const begun = status.tasks !== undefined || runs.length > 0;
  const problem = begun ? validateChangedFields(batch) : validateBatchSpec(batch, deps.images);
  return {
    batch,
    problem: problem ?? (tasks === null ? await findNameConflict(deps, batch) : null),
    tasks,
    runs,
    prepare: await loadJobState(deps, batch, status.prepare?.name, prepareMessage),
    judge: await loadJudgeJob(deps, batch, status.judge?.name),
    liveUsage: usageByRun(deps, runs),
    usageDue: usageDue(runs, memory.usageWrittenAt, now).now,
    now,
  };
}

function usageByRun(deps: ReconcilerDeps, runs: readonly Live<Run>[]): Map<string, LiveUsage> {
  const live = new Map<string, LiveUsage>();
  for (const run of runs) {
    if (run.status?.phase === 'Complete') continue;
    const liveUsage = liveUsageOf(deps, run, deps.pods.byIndex(BY_OWNER, run.metadata.uid));
    if (liveUsage !== null) live.set(run.metadata.name, liveUsage);
  }
  return live;
}
