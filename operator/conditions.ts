import type { BatchConditionType, ClawBenchBatchStatus } from '../crds/status/batch-status.ts';
import { setCondition, type Condition } from '../kube/conditions.ts';
import { conditionsOf } from './condition-list.ts';

/** Where and when a status is decided. */
export interface Moment {
  readonly generation: number;
  readonly now: number;
}

/** One condition of a batch, set. */
export function withCondition(
  status: ClawBenchBatchStatus,
  condition: { type: BatchConditionType; status: Condition['status']; reason: string; message: string },
  moment: Moment,
): ClawBenchBatchStatus {
  const next = { ...condition, observedGeneration: moment.generation };
  return { ...status, conditions: [...setCondition(conditionsOf(status), next, new Date(moment.now))] };
}

export const rfc3339 = (ms: number): string => new Date(ms).toISOString();
