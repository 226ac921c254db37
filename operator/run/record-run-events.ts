import type { AttemptStatus, ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import type { ReconcilerDeps } from '../deps.ts';

/**
 * Log line, event and metrics for a status that has just been written. Never before the write, or they would report
 * what did not happen.
 */
export function recordRunEvents(deps: ReconcilerDeps, before: Live<Run>, after: Live<Run>, suite: string): void {
  const old = before.status ?? {};
  const next = after.status ?? {};
  logChange(deps, after, old, next);
  const failed = newlyFailedAttempt(old, next);
  if (failed !== null) {
    const { number, reason = 'Infrastructure', message = '' } = failed;
    deps.events.event(after, 'Warning', reason, `Attempt ${String(number)}: ${message}`);
  }
  if (next.phase !== 'Complete' || old.phase === 'Complete') return;
  recordCompletion(deps, after);
  // A run that was judged again completes again, but was counted the first time.
  if (old.times?.completed === undefined) deps.metrics.outcome(after, suite);
}

/** A standalone run that is not accepted. */
export function recordRejection(deps: ReconcilerDeps, run: Live<Run>, why: { reason: string; message: string }): void {
  const { namespace, name } = run.metadata;
  deps.log.info({ namespace, run: name, ...why }, 'run not accepted');
  deps.events.event(run, 'Warning', why.reason, why.message);
}

function recordCompletion(deps: ReconcilerDeps, run: Live<Run>): void {
  const { outcome = 'Complete', message = '' } = run.status ?? {};
  deps.events.event(run, outcome === 'Infrastructure' ? 'Warning' : 'Normal', outcome, message);
}

/** The attempt that has just ended with an infrastructure failure. One that only found a claim was reported before. */
function newlyFailedAttempt(old: ClawBenchRunStatus, next: ClawBenchRunStatus): AttemptStatus | null {
  const current = (status: ClawBenchRunStatus): AttemptStatus | undefined =>
    status.attempts?.find((one) => one.number === next.attempt);
  const ended = current(next);
  if (ended?.outcome !== 'Infrastructure' || ended.claimedByAttempt !== undefined) return null;
  return current(old)?.outcome === undefined ? ended : null;
}

function logChange(deps: ReconcilerDeps, run: Live<Run>, old: ClawBenchRunStatus, next: ClawBenchRunStatus): void {
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
  deps.log.info(fields, 'run');
}
