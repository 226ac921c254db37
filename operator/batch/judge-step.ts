import type { JudgeMessage } from '../../benchmark/protocol/job-messages.ts';
import { judgeJobName } from '../../benchmark/protocol/names.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { JobState } from '../job/job-state.ts';
import { sumUsages } from '../progress/usage-sum.ts';
import { retryDelayMs } from '../retry-delays.ts';
import { parseTime, rfc3339 } from '../timestamps.ts';
import { deleteOlderJobs, type BatchDecision } from './actions.ts';
import type { JudgeList } from './judge-list.ts';
import type { JudgeStatus } from './judge-round.ts';

/** The judge Job in progress: its state, and what it was created for. */
export interface ActiveJudgeJob {
  readonly view: JobState<JudgeMessage>;
  readonly closedRuns: number;
  readonly specHash: string;
}

export interface JudgeInput {
  readonly batch: string;
  readonly job: ActiveJudgeJob | null;
  readonly list: JudgeList;
  /** Runs whose agent is done. */
  readonly closedRuns: number;
  /** Every run's agent is done. */
  readonly settled: boolean;
  /** See `judge-round.ts`: no Job is started. */
  readonly roundOver: boolean;
  readonly specHash: string;
  readonly pendingSeconds: number;
  readonly now: number;
}

/**
 * While runs continue, intercepted requests are collected this long for one Job (starting it costs more CPU than a
 * verdict)…
 */
const GATHER_MS = 30_000;
/** …or until this many wait: from then on the Job's own work takes longer than its start. */
const GATHER_ROWS = 8;

/**
 * At most one judge Job at a time. It starts when intercepted requests wait for a verdict, and at the end for the runs
 * that are closed without one and for the summary. While it works, others are collected for the next.
 */
export function judgeStep(status: ClawBenchBatchStatus, input: JudgeInput): BatchDecision {
  const judge: JudgeStatus = status.judge ?? { number: 0 };
  if (judge.name !== undefined && input.job !== null) {
    const read = readJob({ ...judge, name: judge.name }, input.job, input);
    const cleanup =
      read.judge.name === undefined ? deleteOlderJobs(judge.number, (one) => judgeJobName(input.batch, one)) : [];
    return {
      ...read,
      actions: [...read.actions, ...cleanup],
      status: { ...withJudgeUsage(status, input.job), judge: read.judge },
    };
  }
  const rows = [...input.list.judge, ...input.list.promote];
  if (!isJudgeDue(judge, input)) return { status, actions: [], requeueAt: null };
  const notBefore = Math.max(parseTime(judge.retryTime) ?? 0, gatheredAt(input));
  if (input.now < notBefore) return { status, actions: [], requeueAt: notBefore };
  const number = judge.number + 1;
  const next = { ...judge, number, name: judgeJobName(input.batch, number), retryTime: undefined };
  const { closedRuns, specHash } = input;
  return {
    status: { ...status, judge: next },
    actions: [{ type: 'startJudge', number, rows, closedRuns, specHash }],
    requeueAt: null,
  };
}

/**
 * A Job is read once: when it has reported, its name leaves the status. The usage of a Job without a report is unknown.
 */
function withJudgeUsage(status: ClawBenchBatchStatus, { view }: ActiveJudgeJob): ClawBenchBatchStatus {
  if (view.state !== 'Done' || view.message.usage === undefined) return status;
  const judge = sumUsages([status.usage?.judge ?? {}, view.message.usage]);
  return { ...status, usage: { ...status.usage, judge } };
}

/** When enough is collected for a Job, milliseconds since the epoch. No waiting when no further run is to come. */
function gatheredAt({ list, settled }: JudgeInput): number {
  if (settled || list.waitingSince === null || list.judge.length >= GATHER_ROWS) return 0;
  return list.waitingSince + GATHER_MS;
}

/** Whether a Job has something to do now. */
export function isJudgeDue(
  judge: JudgeStatus | undefined,
  input: Pick<JudgeInput, 'list' | 'settled' | 'roundOver' | 'closedRuns'>,
): boolean {
  if (input.roundOver) return false;
  if (input.list.judge.length > 0) return true;
  return input.settled && (input.list.promote.length > 0 || (judge?.summarised ?? 0) !== input.closedRuns);
}

type JudgeJobReading = {
  readonly judge: JudgeStatus;
  readonly actions: BatchDecision['actions'];
  readonly requeueAt: number | null;
};

function readJob(judge: JudgeStatus & { name: string }, job: ActiveJudgeJob, input: JudgeInput): JudgeJobReading {
  const { view } = job;
  switch (view.state) {
    case 'Active': {
      if (view.waiting === null) return { judge: { ...judge, message: undefined }, actions: [], requeueAt: null };
      const startBy = view.since + input.pendingSeconds * 1000;
      if (input.now < startBy) return { judge: { ...judge, message: view.waiting }, actions: [], requeueAt: startBy };
      const cleanup = failed(judge, { reason: 'JudgeNotStarted', message: view.waiting }, input.now);
      return { ...cleanup, actions: [{ type: 'deleteJob', name: judge.name }] };
    }
    case 'Failed':
      return failed(judge, { reason: 'JudgeFailed', message: view.message }, input.now);
    case 'Done':
      return done(judge, view.message, job, input.now);
  }
}

function failed(judge: JudgeStatus, why: { reason: string; message: string }, now: number): JudgeJobReading {
  const failures = (judge.failures ?? 0) + 1;
  const retryAt = now + retryDelayMs(failures, 600_000);
  const next = {
    ...judge,
    name: undefined,
    failures,
    retryTime: rfc3339(retryAt),
    reason: why.reason,
    message: why.message,
  };
  return { judge: next, actions: [], requeueAt: retryAt };
}

/** The summary was written whatever the result of the list, unless the program could not even start. */
function done(judge: JudgeStatus, message: JudgeMessage, job: ActiveJudgeJob, now: number): JudgeJobReading {
  const summed = message.ok || message.reason !== 'JudgeFailed' ? { summarised: job.closedRuns } : {};
  if (!message.ok) {
    const cleanup = failed(judge, message, now);
    return { ...cleanup, judge: { ...cleanup.judge, ...summed } };
  }
  const next = { ...judge, ...summed, name: undefined, failures: 0, retryTime: undefined, specHash: job.specHash };
  return { judge: { ...next, reason: message.reason, message: message.message }, actions: [], requeueAt: now };
}
