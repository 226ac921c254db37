import { RETRIED_OUTCOMES, type Reason } from '../../benchmark/outcome/outcome.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { AttemptResult } from '../pod/attempt-state.ts';
import type { BatchFacts } from './batch-facts.ts';
import { exhaustedCap } from './caps.ts';

/**
 * Another attempt would find the same task, the same claim by another run, the same price table, or the same exhausted
 * cap.
 */
const FINAL_REASONS: readonly Reason[] = ['TaskMismatch', 'ClaimedByOther', 'PriceUnknown', 'BudgetExceeded'];

/** Whether an attempt with this result is worth another one, whatever the limits. */
export function isRetriable({ outcome, reason }: Pick<AttemptResult, 'outcome' | 'reason'>): boolean {
  return RETRIED_OUTCOMES.includes(outcome) && !FINAL_REASONS.includes(reason);
}

/**
 * Whether another attempt follows one with this result.
 * @param status with this attempt counted in `infrastructureFailures` and `usage`.
 */
export function mayRetry(
  { infrastructureFailures = 0, usage }: ClawBenchRunStatus,
  result: Pick<AttemptResult, 'outcome' | 'reason'>,
  { infrastructureLimit, budget }: Pick<BatchFacts, 'infrastructureLimit' | 'budget'>,
): boolean {
  if (!isRetriable(result) || infrastructureFailures > infrastructureLimit) return false;
  return exhaustedCap(budget, usage) === null;
}

/**
 * Reasons for which the cluster ended an attempt, on purpose or by accident. Replacing such an attempt does not count
 * as a retry: a drained node pool must not use up the retries that are meant for a browser that does not start.
 */
const DISRUPTIONS: readonly Reason[] = ['Evicted', 'NodeLost'];

/**
 * Beyond this many attempts a disruption counts like any other failure, so that a node that always evicts cannot go on
 * for ever.
 */
const MAX_UNCOUNTED_DISRUPTIONS = 20;

/** Whether an infrastructure failure counts against `retry.infrastructureLimit`. */
export function countsAsRetry(reason: Reason, attempt: number): boolean {
  return !DISRUPTIONS.includes(reason) || attempt > MAX_UNCOUNTED_DISRUPTIONS;
}
