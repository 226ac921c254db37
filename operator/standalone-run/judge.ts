import { RUBRICS } from '../../benchmark/judge/rubrics.ts';
import type { JudgeSpec } from '../../crds/blocks/judge.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import type { BatchAction } from '../batch/actions.ts';
import { verdictInputsHash, judgeList, type JudgeList } from '../batch/judge-list.ts';
import { judgeBlockHash, endRound, roundOf, type JudgeStatus } from '../batch/judge-round.ts';
import { judgeStep, type ActiveJudgeJob } from '../batch/judge-step.ts';
import { jobRequeueAt } from '../batch/load-jobs.ts';
import { rubricsOf } from '../run/verdict.ts';
import { earliest, parseTime } from '../timestamps.ts';

export interface JudgeDecision {
  readonly judge: ClawBenchRunStatus['judge'];
  /** Usage of the judge for this run. */
  readonly spent: NonNullable<ClawBenchRunStatus['usage']>['judge'];
  readonly actions: readonly BatchAction[];
  readonly requeueAt: number | null;
  /** No verdict is waited for any more. */
  readonly ended: boolean;
  /** A Job is running or will be started. */
  readonly open: boolean;
}

/** A run whose bundle cannot be completed is not retried for ever: its outcome is in the status. */
const CLOSING_TRIES = 5;

/**
 * The judge Job of a standalone run, by the rules of a batch: for verdicts that are missing, and for an attempt whose
 * recorder could not complete the bundle. Nothing to judge: no Job.
 * @param job the one that the status names.
 */
export function decideStandaloneJudge(
  run: Live<Run>,
  batch: Live<Batch>,
  job: ActiveJudgeJob | null,
  now: number,
): JudgeDecision {
  const { status = {} } = run;
  const { judge, deadlines } = batch.spec;
  const settled = isSettled(status);
  const specHash = verdictInputsHash(judge);
  const round = roundOf(status.judge, status.phase === 'Complete', judgeBlockHash(judge), now);
  const giveUpAt = Math.max(endedAt(status), round.since) + deadlines.judgeSeconds * 1000;
  const ended = settled && now >= giveUpAt && !isActive(status);
  const list = settled ? due(run, { judge, last: round.judge, ended }) : NOTHING;
  const { pendingSeconds } = deadlines;
  // A standalone run needs no summary, so no run counts as closed.
  const input = {
    batch: run.metadata.name,
    job,
    list,
    closedRuns: 0,
    settled,
    roundOver: false,
    specHash,
    pendingSeconds,
    now,
  };
  const step = judgeStep({ usage: status.usage, judge: round.judge }, input);
  const open = isActive(step.status) || list.judge.length + list.promote.length > 0;
  const requeueAt = status.phase === 'Judging' && !ended ? earliest([giveUpAt, step.requeueAt]) : step.requeueAt;
  return {
    judge: withFinishedRound(status, step.status.judge, judge),
    spent: step.status.usage?.judge,
    actions: step.actions,
    requeueAt: earliest([requeueAt, jobRequeueAt(job?.view)]),
    ended,
    open,
  };
}

function isSettled({ phase }: ClawBenchRunStatus): boolean {
  return phase === 'Judging' || phase === 'Complete';
}

function isActive({ judge }: Pick<ClawBenchRunStatus, 'judge'>): boolean {
  return judge?.name !== undefined;
}

/** Records what the finished round judged by, so that a change of `spec.judge` is recognised. */
function withFinishedRound(
  status: ClawBenchRunStatus,
  last: JudgeStatus | undefined,
  judge: JudgeSpec | undefined,
): typeof last {
  const judgeable = rubricsOf(status, RUBRICS).length > 0;
  return status.phase === 'Complete' && judgeable ? endRound(last, judgeBlockHash(judge)) : last;
}

interface Asked {
  readonly judge: JudgeSpec | undefined;
  readonly last: JudgeStatus | undefined;
  readonly ended: boolean;
}

function due(run: Live<Run>, { judge, last, ended }: Asked): JudgeList {
  const again = last?.specHash !== undefined && last.specHash !== verdictInputsHash(judge);
  const list = judgeList({ runs: [run], judge, again });
  const promote = (last?.failures ?? 0) >= CLOSING_TRIES ? [] : list.promote;
  return ended ? { judge: [], waitingSince: null, promote } : { ...list, promote };
}

const NOTHING: JudgeList = { judge: [], promote: [], waitingSince: null };

function endedAt(status: ClawBenchRunStatus): number {
  return parseTime(status.attempts?.at(-1)?.times?.ended) ?? parseTime(status.times?.completed) ?? 0;
}
