import { prepareMessage } from '../../benchmark/protocol/job-messages.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import type { Requeue } from '../../kube/queue.ts';
import { resource } from '../../kube/resource.ts';
import { BY_BATCH_UID, BY_OWNER, type Cluster } from '../deps.ts';
import { earliest } from '../timestamps.ts';
import { BATCHES, type Batch, type Run } from '../../kube/clawbench-kinds.ts';
import { heardOf, type Heard } from '../run/live-usage.ts';
import { CONFLICT_RETRY_MS } from '../retry-delays.ts';
import { writeStatus } from '../write-status.ts';
import { carryOut } from './apply-actions.ts';
import { letIn } from './admit-runs.ts';
import { decideBatch, type BatchInput } from './decide.ts';
import { lookAgainAt, viewJob, viewJudge } from './load-jobs.ts';
import { createBatchMemories, type BatchMemories, type BatchMemory } from './create-expectations.ts';
import { nameProblem } from './name-conflict.ts';
import { changeProblem, specProblem } from './validate-spec.ts';
import { tellBatch } from './record-batch-events.ts';
import { usageDue } from './usage-write-interval.ts';

/** Brings one batch nearer to its end: load, decide, act, write the status once, let runs in, tell. */
export function createBatchReconciler(
  cluster: Cluster,
  memories: BatchMemories = createBatchMemories(),
): (key: string) => Promise<Requeue | void> {
  const batches = resource(cluster.client, BATCHES);
  return async (key) => {
    const batch = cluster.batches.get(key);
    if (batch === undefined) return forget(cluster, memories.forget(key));
    if (batch.metadata.deletionTimestamp !== undefined) return;
    const memory = memories.of(key, batch);
    const runs = ownRuns(cluster, batch);
    const wait = tooSoon(memory, runs.length, cluster.now());
    if (wait > 0) return { requeueAfterMs: wait };

    const input = await load(cluster, memory, batch, runs);
    const { step, again } = await carryOut(cluster, { memory, batch, runs }, decideBatch(input));
    const written = await writeStatus(batches, batch, step.status);
    if (written.result === 'stale') return { requeueAfterMs: CONFLICT_RETRY_MS };
    if (written.result === 'written') tellBatch(cluster, batch, written.object);
    if (input.usageDue) memory.usageWrittenAt = cluster.now();
    const checkAt = earliest([
      step.checkAt,
      letIn(cluster, batch, runs, input.problem === null),
      again,
      usageDue(runs, memory.usageWrittenAt, cluster.now()).at,
      ...lostJobs(input),
    ]);
    return checkAt === null ? undefined : { requeueAfterMs: Math.max(20, checkAt - cluster.now()) };
  };
}

/** A look that was under way when the batch went may have left something. */
function forget(cluster: Cluster, uid: string | null): void {
  if (uid === null) return;
  cluster.admitted.delete(uid);
  cluster.tasks.forget(uid);
}

function lostJobs({ prepare, judge }: BatchInput): (number | null)[] {
  return [lookAgainAt(prepare), lookAgainAt(judge?.view)];
}

function ownRuns(cluster: Cluster, { metadata: { uid } }: Live<Batch>): Live<Run>[] {
  return cluster.runs.byIndex(BY_BATCH_UID, uid).filter((run) => controllerOf(run)?.uid === uid);
}

/** A batch changes with each of its runs; a big one is looked at less often, since each look costs in proportion. */
function tooSoon(memory: BatchMemory, runs: number, now: number): number {
  const since = now - memory.lookedAt;
  const least = runs > 200 ? 2000 : 100;
  if (since < least) return least - since;
  memory.lookedAt = now;
  return 0;
}

async function load(
  cluster: Cluster,
  memory: BatchMemory,
  batch: Live<Batch>,
  runs: readonly Live<Run>[],
): Promise<BatchInput> {
  const { status = {} } = batch;
  const now = cluster.now();
  const tasks = status.tasks === undefined ? null : await cluster.tasks.of(batch);
  const begun = status.tasks !== undefined || runs.length > 0;
  const problem = begun ? changeProblem(batch) : specProblem(batch, cluster.images);
  return {
    batch,
    problem: problem ?? (tasks === null ? await nameProblem(cluster, batch) : null),
    tasks,
    runs,
    prepare: await viewJob(cluster, batch, status.prepare?.name, prepareMessage),
    judge: await viewJudge(cluster, batch, status.judge?.name),
    liveUsage: usageByRun(cluster, runs),
    usageDue: usageDue(runs, memory.usageWrittenAt, now).now,
    now,
  };
}

function usageByRun(cluster: Cluster, runs: readonly Live<Run>[]): Map<string, Heard> {
  const live = new Map<string, Heard>();
  for (const run of runs) {
    if (run.status?.phase === 'Complete') continue;
    const heard = heardOf(cluster, run, cluster.pods.byIndex(BY_OWNER, run.metadata.uid));
    if (heard !== null) live.set(run.metadata.name, heard);
  }
  return live;
}
