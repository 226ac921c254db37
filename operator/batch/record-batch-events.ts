import type { Batch } from '../../kube/clawbench-kinds.ts';
import { findCondition } from '../../kube/conditions.ts';
import type { Live } from '../../kube/object.ts';
import { conditionsOf } from '../conditions.ts';
import type { ReconcilerDeps } from '../deps.ts';

/** Log line, events and metrics for a status that has just been written. */
export function recordBatchEvents(deps: ReconcilerDeps, before: Live<Batch>, after: Live<Batch>): void {
  const { namespace, name } = after.metadata;
  const { status = {} } = after;
  if (before.status?.phase !== status.phase) {
    deps.log.info({ namespace, batch: name, phase: status.phase, counts: status.counts }, 'batch');
  }
  recordConditionEvent(deps, before, after, 'Accepted');
  recordConditionEvent(deps, before, after, 'Complete');
  deps.metrics.batch(after, status);
}

/** An event when the condition's status changes, or its reason. */
function recordConditionEvent(
  deps: ReconcilerDeps,
  before: Live<Batch>,
  after: Live<Batch>,
  type: 'Accepted' | 'Complete',
): void {
  const old = findCondition(conditionsOf(before.status), type);
  const next = findCondition(conditionsOf(after.status), type);
  if (next === undefined || (old?.status === next.status && old.reason === next.reason)) return;
  if (type === 'Complete' && next.status !== 'True') return;
  if (next.status === 'Unknown') return;
  const { namespace, name } = after.metadata;
  deps.log.info(
    { namespace, batch: name, condition: type, status: next.status, reason: next.reason, message: next.message },
    'batch',
  );
  deps.events.event(after, next.status === 'False' ? 'Warning' : 'Normal', next.reason, next.message);
}
