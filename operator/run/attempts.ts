import { SYSTEM_CAUSED_OUTCOMES } from '../../benchmark/outcome/outcome.ts';
import { MAX_ATTEMPTS_IN_STATUS, type AttemptStatus, type ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { attemptNumber, type PodObject } from '../pod/pod-status.ts';

/**
 * The attempt in progress: the one that the status names without an outcome, or a pod that was created just before the
 * operator died and never reached the status. Null: none.
 */
export function attemptInProgress(status: ClawBenchRunStatus, pods: readonly PodObject[]): number | null {
  const known = status.attempt ?? 0;
  const newest = Math.max(0, ...pods.map(attemptNumber));
  if (newest > known) return newest;
  if (known === 0) return null;
  return status.attempts?.find((attempt) => attempt.number === known)?.outcome === undefined ? known : null;
}

/** The list with this attempt added or replaced. The status keeps only the last few; the object store has all. */
export function withAttempt(attempts: readonly AttemptStatus[] | undefined, attempt: AttemptStatus): AttemptStatus[] {
  const others = (attempts ?? []).filter((one) => one.number !== attempt.number);
  return [...others, attempt].sort((left, right) => left.number - right.number).slice(-MAX_ATTEMPTS_IN_STATUS);
}

/**
 * Pods that may be deleted: their attempt's outcome is in the *written* status, so nothing is lost with them. The
 * newest failed one stays until the batch is complete.
 */
export function podsToDelete(
  written: ClawBenchRunStatus | undefined,
  pods: readonly PodObject[],
  batchEnded: boolean,
): readonly PodObject[] {
  const closed = new Map(
    (written?.attempts ?? []).filter((one) => one.outcome !== undefined).map((one) => [one.number, one]),
  );
  if (closed.size === 0) return [];
  const oldest = Math.min(...closed.keys());
  const over = pods.filter((pod) => closed.has(attemptNumber(pod)) || attemptNumber(pod) < oldest);
  const failed = over
    .map(attemptNumber)
    .filter((number) => SYSTEM_CAUSED_OUTCOMES.has(closed.get(number)?.outcome ?? ''));
  const kept = batchEnded ? 0 : Math.max(0, ...failed);
  return over.filter((pod) => attemptNumber(pod) !== kept && pod.metadata.deletionTimestamp === undefined);
}
