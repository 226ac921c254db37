import { isNonResult } from '../../benchmark/outcome/outcome.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';

export type OutcomeBeforeVerdict = Partial<Pick<ClawBenchRunStatus, 'outcome' | 'reason' | 'message'>>;

/**
 * How a session without a caught request ended before any verdict: as its last attempt says. A verdict about the session
 * overwrites the run's outcome, and one that is taken back (another pass rubric, another judge) must find the first
 * again. Empty: the run's outcome is its own still.
 */
export function outcomeBeforeVerdict(status: ClawBenchRunStatus): OutcomeBeforeVerdict {
  if (status.intercepted === true || status.outcome === undefined || isNonResult(status.outcome)) return {};
  const last = status.attempts?.at(-1);
  if (last?.outcome === undefined) return {};
  const { outcome, reason, message } = last;
  return { outcome, reason, message };
}
