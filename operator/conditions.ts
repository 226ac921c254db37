import type { BatchConditionType, ClawBenchBatchStatus } from '../crds/status/batch-status.ts';
import type { ClawBenchRunStatus, RunConditionType } from '../crds/status/run-status.ts';
import { setCondition, type Condition } from '../kube/conditions.ts';

/** The generation of the spec that a status is decided for, and when; `now` in milliseconds since the epoch. */
export interface Moment {
  readonly generation: number;
  readonly now: number;
}

interface ConditionOf<Type extends string> {
  readonly type: Type;
  readonly status: Condition['status'];
  readonly reason: string;
  readonly message: string;
}

/** A status with one condition set. Its transition time changes only when the condition's status does. */
export function withCondition(
  status: ClawBenchBatchStatus,
  condition: ConditionOf<BatchConditionType>,
  moment: Moment,
): ClawBenchBatchStatus;
export function withCondition(
  status: ClawBenchRunStatus,
  condition: ConditionOf<RunConditionType>,
  moment: Moment,
): ClawBenchRunStatus;
export function withCondition(
  status: ClawBenchBatchStatus | ClawBenchRunStatus,
  condition: ConditionOf<string>,
  moment: Moment,
): object {
  const next = { ...condition, observedGeneration: moment.generation };
  return { ...status, conditions: [...setCondition(conditionsOf(status), next, new Date(moment.now))] };
}

/** The conditions of a status as `kube/conditions.ts` takes them; the schema's type differs only in `undefined`. */
export function conditionsOf(
  status: { readonly conditions?: readonly object[] | undefined } | undefined,
): readonly Condition[] {
  return (status?.conditions ?? []) as readonly Condition[];
}
