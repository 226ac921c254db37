import type { PrepareMessage } from '../../benchmark/protocol/job-messages.ts';
import { countOf } from '../../benchmark/text/count-of.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { PrepareStatus } from '../../crds/status/shared.ts';
import { withCondition, type Moment } from '../conditions.ts';
import type { JobState } from '../job/job-state.ts';
import { retryDelayMs } from '../retry-delays.ts';
import { parseTime, rfc3339 } from '../timestamps.ts';
import { deleteOlderJobs, type BatchDecision } from './actions.ts';
import { tasksConfigMapName } from './judge-job.ts';
import { prepareJobName } from './prepare-job.ts';

export interface PrepareInput extends Moment {
  readonly batch: string;
  /** The Job that the status names; null when it names none. */
  readonly job: JobState<PrepareMessage> | null;
  /** How long its pod may take to start. */
  readonly pendingSeconds: number;
}

/**
 * The batch is not accepted yet: `prepare` checks it, and the result becomes the condition `Accepted`. A rejection is
 * not final, because suite, Secrets and batch may be applied in any order: it is tried again with a back-off, and
 * immediately when the spec changes.
 */
export function prepareStep(status: ClawBenchBatchStatus, input: PrepareInput): BatchDecision {
  const job: PrepareStatus = status.prepare ?? { number: 0 };
  if (job.generation !== undefined && job.generation !== input.generation) return restart(status, job, input);
  if (job.name !== undefined && input.job !== null)
    return readJob(status, { ...job, name: job.name }, input.job, input);
  const notBefore = parseTime(job.retryTime) ?? 0;
  if (input.now < notBefore) return { status, actions: [], requeueAt: notBefore };
  return start(status, job, input);
}

function start(status: ClawBenchBatchStatus, job: PrepareStatus, input: PrepareInput): BatchDecision {
  const number = job.number + 1;
  const name = prepareJobName(input.batch, number);
  const started = { ...job, number, name, generation: input.generation, retryTime: undefined };
  return {
    status: waiting({ ...status, prepare: started }, null, input),
    actions: [{ type: 'startPrepare', number }],
    requeueAt: null,
  };
}

/** The last Job checked an earlier version of the spec. */
function restart(status: ClawBenchBatchStatus, job: PrepareStatus, input: PrepareInput): BatchDecision {
  const step = start(status, { ...job, failures: 0 }, input);
  const stale: BatchDecision['actions'] = job.name === undefined ? [] : [{ type: 'deleteJob', name: job.name }];
  return { ...step, actions: [...stale, ...step.actions] };
}

function readJob(
  status: ClawBenchBatchStatus,
  job: PrepareStatus & { name: string },
  view: JobState<PrepareMessage>,
  input: PrepareInput,
): BatchDecision {
  switch (view.state) {
    case 'Active': {
      const startBy = view.since + input.pendingSeconds * 1000;
      if (view.waiting === null) return { status: waiting(status, null, input), actions: [], requeueAt: null };
      if (input.now < startBy) return { status: waiting(status, view.waiting, input), actions: [], requeueAt: startBy };
      const rejection = rejected(status, job, { reason: 'PrepareNotStarted', message: view.waiting }, input);
      return { ...rejection, actions: [{ type: 'deleteJob', name: job.name }, ...rejection.actions] };
    }
    case 'Failed':
      return rejected(status, job, { reason: 'PrepareFailed', message: view.message }, input);
    case 'Done':
      return view.message.ok ? accepted(status, job, view.message, input) : rejected(status, job, view.message, input);
  }
}

/** While an earlier rejection stands, its message stays: it is what the user has to act on. */
function waiting(status: ClawBenchBatchStatus, why: string | null, input: PrepareInput): ClawBenchBatchStatus {
  if (status.prepare?.reason !== undefined) return status;
  const reason = why === null ? 'Preparing' : 'PreparePending';
  const message = why ?? 'The suite, the models and the object store are being checked.';
  return withCondition(status, { type: 'Accepted', status: 'Unknown', reason, message }, input);
}

function rejected(
  status: ClawBenchBatchStatus,
  job: PrepareStatus,
  why: { reason: string; message: string },
  input: PrepareInput,
): BatchDecision {
  const failures = (job.failures ?? 0) + 1;
  const retryAt = input.now + retryDelayMs(failures);
  const prepare = {
    number: job.number,
    generation: input.generation,
    failures,
    retryTime: rfc3339(retryAt),
    reason: why.reason,
    message: why.message,
  };
  const condition = { type: 'Accepted', status: 'False', reason: why.reason, message: why.message } as const;
  const actions = olderJobs(job, input);
  return { status: withCondition({ ...status, prepare }, condition, input), actions, requeueAt: retryAt };
}

function accepted(
  status: ClawBenchBatchStatus,
  job: PrepareStatus,
  message: Extract<PrepareMessage, { ok: true }>,
  input: PrepareInput,
): BatchDecision {
  const tasks = { configMapName: tasksConfigMapName(input.batch), count: message.tasks };
  const next: ClawBenchBatchStatus = {
    ...status,
    prepare: { number: job.number, generation: input.generation },
    tasks,
    models: message.models,
    startTime: status.startTime ?? rfc3339(input.now),
  };
  const text = `Checked: ${countOf(message.tasks, 'task')} and ${countOf(message.models.length, 'model')}.`;
  return {
    status: withCondition(next, { type: 'Accepted', status: 'True', reason: 'Prepared', message: text }, input),
    actions: olderJobs(job, input),
    requeueAt: input.now,
  };
}

function olderJobs({ number }: PrepareStatus, { batch }: PrepareInput): BatchDecision['actions'] {
  return deleteOlderJobs(number, (one) => prepareJobName(batch, one));
}
