import type { Live } from '../../kube/object.ts';
import { carryOutBatch } from '../batch/act.ts';
import { lookAgainAt, viewSweep } from '../batch/find-jobs.ts';
import { sweepStep, type SweepDecision } from '../batch/sweep-step.ts';
import type { Cluster } from '../cluster.ts';
import type { Batch, Run } from '../kinds.ts';
import { isRefusal } from '../refusal.ts';

const REFUSED_MS = 20_000;

/**
 * The sweep Job of a run made by hand, by the batch's own rules. One that the API server refuses is tried again.
 * @returns what came true.
 */
export async function sweepByHand(cluster: Cluster, run: Live<Run>, batch: Live<Batch>): Promise<SweepDecision> {
  const { status = {} } = run;
  const job = await viewSweep(cluster, batch, status.sweep?.name);
  const step = sweepStep(status.sweep, {
    batch: run.metadata.name,
    mail: batch.spec.mail,
    runs: [run],
    job,
    settled: ['Judging', 'Complete'].includes(status.phase ?? ''),
    pendingSeconds: batch.spec.deadlines.pendingSeconds,
    now: cluster.now(),
  });
  try {
    for (const action of step.actions) await carryOutBatch(cluster, batch, action);
    return { ...step, checkAt: step.checkAt ?? lookAgainAt(job?.view) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...step, sweep: status.sweep, checkAt: cluster.now() + REFUSED_MS };
  }
}
