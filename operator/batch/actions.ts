import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { PlannedRun } from './plan-runs.ts';

/** What a decision about a batch asks for. Names are deterministic, so each action can be repeated. */
export type BatchAction =
  | { readonly type: 'startPrepare'; readonly number: number }
  | {
      readonly type: 'startJudge';
      readonly number: number;
      readonly rows: readonly JudgeRow[];
      readonly closedRuns: number;
      readonly specHash: string;
    }
  | { readonly type: 'createRuns'; readonly runs: readonly PlannedRun[] }
  | { readonly type: 'deleteJob'; readonly name: string }
  | { readonly type: 'deleteBatch' };

export interface BatchDecision {
  readonly status: ClawBenchBatchStatus;
  readonly actions: readonly BatchAction[];
  /** When to reconcile again even if nothing happens, milliseconds since the epoch. */
  readonly requeueAt: number | null;
}

/**
 * Deletes the Jobs before this one, which has just finished: the log of the last one stays readable, and a batch that is
 * rejected for hours does not fill its namespace. Two, because a Job that was deleted itself may have left the one before.
 */
export function deleteOlderJobs(number: number, nameOf: (number: number) => string): BatchAction[] {
  return [number - 1, number - 2].filter((one) => one > 0).map((one) => ({ type: 'deleteJob', name: nameOf(one) }));
}
