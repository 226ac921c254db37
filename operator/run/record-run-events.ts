import type { Attempt, ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Live } from '../../kube/object.ts';
import type { Cluster } from '../deps.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';

/** Log line, event and metrics of what has just been written: never before, or they would speak of what is not. */
export function tellRun(cluster: Cluster, before: Live<Run>, after: Live<Run>, suite: string): void {
  const old = before.status ?? {};
  const next = after.status ?? {};
  logChange(cluster, after, old, next);
  const failed = failedNow(old, next);
  if (failed !== null) {
    const { number, reason = 'Infrastructure', message = '' } = failed;
    cluster.events.event(after, 'Warning', reason, `Attempt ${String(number)}: ${message}`);
  }
  if (next.phase !== 'Complete' || old.phase === 'Complete') return;
  tellEnd(cluster, after);
  // Judged again, a run is complete again, and has been counted.
  if (old.times?.completed === undefined) cluster.metrics.outcome(after, suite);
}

/** A run made by hand is not accepted. */
export function tellRefusal(cluster: Cluster, run: Live<Run>, why: { reason: string; message: string }): void {
  const { namespace, name } = run.metadata;
  cluster.log.info({ namespace, run: name, ...why }, 'run refused');
  cluster.events.event(run, 'Warning', why.reason, why.message);
}

function tellEnd(cluster: Cluster, run: Live<Run>): void {
  const { outcome = 'Complete', message = '' } = run.status ?? {};
  cluster.events.event(run, outcome === 'Infrastructure' ? 'Warning' : 'Normal', outcome, message);
}

/** The attempt that has just ended for a reason that is not the agent's. One that found a claim was told of before. */
function failedNow(old: ClawBenchRunStatus, next: ClawBenchRunStatus): Attempt | null {
  const current = (status: ClawBenchRunStatus): Attempt | undefined =>
    status.attempts?.find((one) => one.number === next.attempt);
  const ended = current(next);
  if (ended?.outcome !== 'Infrastructure' || ended.claimedByAttempt !== undefined) return null;
  return current(old)?.outcome === undefined ? ended : null;
}

function logChange(cluster: Cluster, run: Live<Run>, old: ClawBenchRunStatus, next: ClawBenchRunStatus): void {
  if (old.phase === next.phase && old.attempt === next.attempt && old.outcome === next.outcome) return;
  const { namespace, name } = run.metadata;
  const fields = {
    namespace,
    run: name,
    phase: next.phase,
    attempt: next.attempt,
    outcome: next.outcome,
    reason: next.reason,
  };
  cluster.log.info(fields, 'run');
}
