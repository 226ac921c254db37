import { isNonResult } from '../../benchmark/outcome/outcome.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';

export type OutcomeBeforeVerdict = Partial<Pick<ClawBenchRunStatus, 'outcome' | 'reason' | 'message'>>;

/**
 * How a session without an intercepted request ended before any verdict, according to its last attempt. A verdict about
 * the session overwrites the run's outcome. When that verdict is withdrawn (another pass rubric, another judge), the
 * first outcome must be found again. Empty: no verdict has replaced the run's outcome.
 */
export function outcomeBeforeVerdict(status: ClawBenchRunStatus): OutcomeBeforeVerdict {
  if (status.intercepted === true || status.outcome === undefined || isNonResult(status.outcome)) return {};
  const last = status.attempts?.at(-1);
  if (last?.outcome === undefined) return {};
  const { outcome, reason, message } = last;
  return { outcome, reason, message };
}
