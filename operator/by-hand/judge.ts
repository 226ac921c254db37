import type { Judge } from '../../crds/blocks/judge.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Live } from '../../kube/object.ts';
import type { BatchAction } from '../batch/actions.ts';
import { lookAgainAt } from '../batch/find-jobs.ts';
import { judgeHash, judgeList, type JudgeList } from '../batch/judge-list.ts';
import { judgeStep, type JudgeJob } from '../batch/judge-step.ts';
import type { Batch, Run } from '../kinds.ts';
import { time } from '../run/pod-object.ts';

export interface JudgeDecision {
  readonly judge: ClawBenchRunStatus['judge'];
  readonly actions: readonly BatchAction[];
  readonly checkAt: number | null;
  /** Nothing waits for a verdict any more. */
  readonly ended: boolean;
  /** A Job works or is still to come. */
  readonly open: boolean;
}

/** A run whose bundle cannot be closed is not tried for ever: its outcome stands in the status. */
const CLOSING_TRIES = 5;

/**
 * The judge Job of a run made by hand, by the batch's own rules: for an interception that waits for a verdict, and for
 * an attempt whose recorder could not close the bundle. A run with nothing to judge starts none.
 * @param job the one that the status names.
 */
export function judgeByHand(run: Live<Run>, batch: Live<Batch>, job: JudgeJob | null, now: number): JudgeDecision {
  const { status = {} } = run;
  const { judge, deadlines } = batch.spec;
  const settled = isSettled(status);
  const specHash = judgeHash(judge);
  const giveUpAt = endedAt(status) + deadlines.judgeSeconds * 1000;
  const ended = settled && now >= giveUpAt && !isActive(status);
  const list = settled ? due(run, judge, ended) : NOTHING;
  const { pendingSeconds } = deadlines;
  // No summary for its own sake, so nothing counts as closed.
  const input = { batch: run.metadata.name, job, list, closedRuns: 0, settled, specHash, pendingSeconds, now };
  const step = judgeStep(status.judge === undefined ? {} : { judge: status.judge }, input);
  const open = isActive(step.status) || list.judge.length + list.promote.length > 0;
  const checkAt = status.phase === 'Judging' && !ended ? earliest(giveUpAt, step.checkAt) : step.checkAt;
  return { judge: step.status.judge, actions: step.actions, checkAt: soonest(checkAt, job), ended, open };
}

function isSettled({ phase }: ClawBenchRunStatus): boolean {
  return phase === 'Judging' || phase === 'Complete';
}

function isActive({ judge }: Pick<ClawBenchRunStatus, 'judge'>): boolean {
  return judge?.name !== undefined;
}

/** After the end only another judge is asked again. */
function due(run: Live<Run>, judge: Judge | undefined, ended: boolean): JudgeList {
  const last = run.status?.judge;
  const again = last?.specHash !== undefined && last.specHash !== judgeHash(judge);
  const list = judgeList({ runs: [run], judge, again });
  const promote = (last?.failures ?? 0) >= CLOSING_TRIES ? [] : list.promote;
  return ended && !again ? { judge: [], waitingSince: null, promote } : { ...list, promote };
}

function soonest(checkAt: number | null, job: JudgeJob | null): number | null {
  const lost = lookAgainAt(job?.view);
  return lost === null ? checkAt : earliest(lost, checkAt);
}

function earliest(at: number, other: number | null): number {
  return Math.min(at, other ?? Infinity);
}

const NOTHING: JudgeList = { judge: [], promote: [], waitingSince: null };

function endedAt(status: ClawBenchRunStatus): number {
  return time(status.attempts?.at(-1)?.times?.ended) ?? time(status.times?.completed) ?? 0;
}
