import type { Reason } from '../../benchmark/outcome/outcome.ts';

/**
 * Reasons for which the cluster ended an attempt, on purpose or by accident. Replacing such an attempt does not count
 * as a retry: a drained node pool must not use up the retries that are meant for a browser that does not start.
 */
const DISRUPTIONS: readonly Reason[] = ['Evicted', 'NodeLost'];

/**
 * Beyond this many attempts a disruption counts like any other failure, so that a node that always evicts cannot go on
 * for ever.
 */
const FREE_ATTEMPTS = 20;

/** Whether an infrastructure failure counts against `retry.infrastructureLimit`. */
export function countsAsRetry(reason: Reason, attempt: number): boolean {
  return !DISRUPTIONS.includes(reason) || attempt > FREE_ATTEMPTS;
}
