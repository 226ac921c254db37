import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { PlannedRun } from './plan-runs.ts';

/** What a decision about a batch asks for. Each is safe to repeat: names are deterministic. */
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

export interface Step {
  readonly status: ClawBenchBatchStatus;
  readonly actions: readonly BatchAction[];
  /** Look again at this time, in milliseconds since the epoch. */
  readonly checkAt: number | null;
}
