import type { Reason } from '../../benchmark/outcome/outcome.ts';

/**
 * Ends that the cluster caused on purpose or by accident. The replacement costs no retry: a drained node pool must not
 * use up what is meant for a browser that does not start.
 */
const DISRUPTIONS: readonly Reason[] = ['Evicted', 'NodeLost'];

/** Beyond this many attempts a disruption counts like any failure, so that a node that evicts for ever ends the run. */
const FREE_ATTEMPTS = 20;

/** Whether an infrastructure end counts against `retry.infrastructureLimit`. */
export function countsAsRetry(reason: Reason, attempt: number): boolean {
  return !DISRUPTIONS.includes(reason) || attempt > FREE_ATTEMPTS;
}
