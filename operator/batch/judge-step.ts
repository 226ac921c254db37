import type { JudgeMessage } from '../../benchmark/protocol/job-messages.ts';
import { judgeJobName } from '../../benchmark/protocol/names.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { sumUsages } from '../progress/usage-sum.ts';
import { type BatchDecision, deleteOlderJobs } from './actions.ts';
import type { JudgeList } from './judge-list.ts';
import type { JudgeStatus } from './judge-round.ts';
import { type JobState } from '../job/job-state.ts';
import { parseTime, rfc3339 } from '../timestamps.ts';
import { retryDelayMs } from '../retry-delays.ts';

/** The active judge Job: how it stands, and what it was made for. */
export interface JudgeJob {
  readonly view: JobState<JudgeMessage>;
  readonly closedRuns: number;
  readonly specHash: string;
}

export interface JudgeInput {
  readonly batch: string;
  readonly job: JudgeJob | null;
  readonly list: JudgeList;
  /** Runs whose agent is done. */
  readonly closedRuns: number;
  /** No run has its agent still to come. */
  readonly settled: boolean;
  /** See `judge-round.ts`: nothing is started. */
  readonly roundOver: boolean;
  readonly specHash: string;
  readonly pendingSeconds: number;
  readonly now: number;
}

/** While runs go on, interceptions gather this long for one Job (its start costs more CPU than a verdict)… */
const GATHER_MS = 30_000;
/** …or until so many wait: then the Job's own work is what takes time. */
const GATHER_ROWS = 8;

/**
 * At most one judge Job: started when interceptions wait for a verdict, and at the end for what must be closed without
 * one and for the summary. While it works, others gather for the next.
 */
export function judgeStep(status: ClawBenchBatchStatus, input: JudgeInput): BatchDecision {
  const judge: JudgeStatus = status.judge ?? { number: 0 };
  if (judge.name !== undefined && input.job !== null) {
    const read = readJob({ ...judge, name: judge.name }, input.job, input);
    const over =
      read.judge.name === undefined ? deleteOlderJobs(judge.number, (one) => judgeJobName(input.batch, one)) : [];
    return {
      ...read,
      actions: [...read.actions, ...over],
      status: { ...withSpent(status, input.job), judge: read.judge },
    };
  }
  const rows = [...input.list.judge, ...input.list.promote];
  if (!judgeDue(judge, input)) return { status, actions: [], requeueAt: null };
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

/** A Job is read once: with its message its name leaves the status. What one that says nothing spent is not known. */
function withSpent(status: ClawBenchBatchStatus, { view }: JudgeJob): ClawBenchBatchStatus {
  if (view.state !== 'Done' || view.message.usage === undefined) return status;
  const judge = sumUsages([status.usage?.judge ?? {}, view.message.usage]);
  return { ...status, usage: { ...status.usage, judge } };
}

/** When enough has gathered for a Job; epoch ms. Nobody is waited for when no run is to come. */
function gatheredAt({ list, settled }: JudgeInput): number {
  if (settled || list.waitingSince === null || list.judge.length >= GATHER_ROWS) return 0;
  return list.waitingSince + GATHER_MS;
}

/** Whether a Job has something to do that can be done now. */
export function judgeDue(
  judge: JudgeStatus | undefined,
  input: Pick<JudgeInput, 'list' | 'settled' | 'roundOver' | 'closedRuns'>,
): boolean {
  if (input.roundOver) return false;
  if (input.list.judge.length > 0) return true;
  return input.settled && (input.list.promote.length > 0 || (judge?.summarised ?? 0) !== input.closedRuns);
}

type Read = {
  readonly judge: JudgeStatus;
  readonly actions: BatchDecision['actions'];
  readonly requeueAt: number | null;
};

function readJob(judge: JudgeStatus & { name: string }, job: JudgeJob, input: JudgeInput): Read {
  const { view } = job;
  switch (view.state) {
    case 'Active': {
      if (view.waiting === null) return { judge: { ...judge, message: undefined }, actions: [], requeueAt: null };
      const startBy = view.since + input.pendingSeconds * 1000;
      if (input.now < startBy) return { judge: { ...judge, message: view.waiting }, actions: [], requeueAt: startBy };
      const over = failed(judge, { reason: 'JudgeNotStarted', message: view.waiting }, input.now);
      return { ...over, actions: [{ type: 'deleteJob', name: judge.name }] };
    }
    case 'Failed':
      return failed(judge, { reason: 'JudgeFailed', message: view.message }, input.now);
    case 'Done':
      return done(judge, view.message, job, input.now);
  }
}

function failed(judge: JudgeStatus, why: { reason: string; message: string }, now: number): Read {
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

/** A summary was written whatever became of the list, unless the program could not even begin. */
function done(judge: JudgeStatus, message: JudgeMessage, job: JudgeJob, now: number): Read {
  const summed = message.ok || message.reason !== 'JudgeFailed' ? { summarised: job.closedRuns } : {};
  if (!message.ok) {
    const over = failed(judge, message, now);
    return { ...over, judge: { ...over.judge, ...summed } };
  }
  const next = { ...judge, ...summed, name: undefined, failures: 0, retryTime: undefined, specHash: job.specHash };
  return { judge: { ...next, reason: message.reason, message: message.message }, actions: [], requeueAt: now };
}
