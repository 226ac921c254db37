import type { FailureCategory } from '../../../benchmark/outcome/upstream-category.ts';
import type { Reason } from '../../../benchmark/outcome/outcome.ts';
import type { StopCause } from '../state-machine/stop-cause.ts';

const SETUP: ReadonlySet<Reason> = new Set<Reason>([
  'SetupTimeout',
  'IsolationUnavailable',
  'InterceptionNotArmed',
  'SelfTestFailed',
]);

/** Upstream's category for an attempt that infrastructure ended; null: the bundle's files decide. */
export function defaultCategory(cause: StopCause): FailureCategory | null {
  if (cause.kind !== 'infrastructure') return null;
  if (cause.reason === 'TaskMismatch') return 'task_data';
  return SETUP.has(cause.reason) ? 'browser_runtime_setup_failed' : 'infra_failure';
}
