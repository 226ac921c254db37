import { rescoreSummary, type ScoreTables } from '../../benchmark/aggregate/rescore-summary.ts';
import type { PrepareMessage, TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { askedRubrics } from '../../crds/blocks/judge.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { Live } from '../../kube/object.ts';
import { withCondition, conditionsOf, type Moment } from '../conditions.ts';
import { withImmutableFieldHint } from '../immutable-field.ts';
import type { JobState } from '../job/job-state.ts';
import { costColumn } from '../progress/usage-sum.ts';
import type { LiveUsage } from '../run/live-usage.ts';
import { earliest, rfc3339 } from '../timestamps.ts';
import type { BatchDecision } from './actions.ts';
import { completionStep } from './completion-step.ts';
import { verdictInputsHash, judgeList } from './judge-list.ts';
import { judgeBlockHash, roundOf } from './judge-round.ts';
import { judgeStep, type ActiveJudgeJob } from './judge-step.ts';
import { planRuns, type PlannedRun } from './plan-runs.ts';
import { prepareStep } from './prepare-step.ts';
import { countRuns, plannedRows, scoredRuns, batchUsage } from './run-counts.ts';
import type { SpecProblem } from './validate-spec.ts';

interface Problem extends SpecProblem {
  /** When to check again: the problem is not in the spec and may go away. */
  readonly retryAt?: number;
}

export interface BatchInput {
  readonly batch: Live<Batch>;
  /** What is wrong with the spec: one sentence that names the field. */
  readonly problem: Problem | null;
  /** The task list; null while there is none. */
  readonly tasks: readonly TaskRow[] | null;
  /** The batch's own runs. */
  readonly runs: readonly Live<Run>[];
  readonly prepare: JobState<PrepareMessage> | null;
  readonly judge: ActiveJudgeJob | null;
  /** Usage of running agents so far, by run. */
  readonly liveUsage: ReadonlyMap<string, LiveUsage>;
  /** Usage is written at most every 30 s. False: keep what was written. */
  readonly usageDue: boolean;
  readonly now: number;
}

/** Everything that happens to a batch, from plain data. */
export function decideBatch(input: BatchInput): BatchDecision {
  const { batch } = input;
  const moment: Moment = { generation: batch.metadata.generation ?? 0, now: input.now };
  const begun = beginStatus(batch, moment);
  if (begun.tasks === undefined || input.tasks === null) {
    if (input.problem !== null) return reject(begun, input.problem, moment);
    if (batch.spec.cancel && input.runs.length === 0) return cancelBeforeRuns(begun, moment);
    const { pendingSeconds } = batch.spec.deadlines;
    return prepareStep(
      { ...begun, tasks: undefined },
      { ...moment, batch: batch.metadata.name, job: input.prepare, pendingSeconds },
    );
  }
  return runStep(input, withAccepted(begun, input.problem, moment), moment);
}

function beginStatus(batch: Live<Batch>, moment: Moment): ClawBenchBatchStatus {
  const old = batch.status ?? {};
  const status: ClawBenchBatchStatus = { ...old, observedGeneration: moment.generation, phase: old.phase ?? 'Pending' };
  const { suspend } = batch.spec;
  const suspended = withCondition(
    status,
    suspend
      ? {
          type: 'Suspended',
          status: 'True',
          reason: 'SuspendedByUser',
          message: 'No further run is started; runs in progress continue.',
        }
      : { type: 'Suspended', status: 'False', reason: 'NotSuspended', message: 'spec.suspend is false.' },
    moment,
  );
  if (old.conditions?.some((condition) => condition.type === 'Complete') === true) return suspended;
  return withCondition(
    suspended,
    { type: 'Complete', status: 'False', reason: 'NotYet', message: 'The batch has just started.' },
    moment,
  );
}

/** After a change to a rejected spec no further run starts; what was accepted before is judged and completed. */
function withAccepted(status: ClawBenchBatchStatus, problem: Problem | null, moment: Moment): ClawBenchBatchStatus {
  if (problem !== null) {
    const { reason, message } = problem;
    return withCondition(status, { type: 'Accepted', status: 'False', reason, message }, moment);
  }
  if (isTrue(conditionsOf(status), 'Accepted')) return status;
  const message = 'The field that was rejected is no longer in the spec.';
  return withCondition(status, { type: 'Accepted', status: 'True', reason: 'Prepared', message }, moment);
}

function reject(status: ClawBenchBatchStatus, problem: Problem, moment: Moment): BatchDecision {
  const { reason, retryAt = null } = problem;
  const message = withImmutableFieldHint(problem.message, 'batch');
  const accepted = withCondition(status, { type: 'Accepted', status: 'False', reason, message }, moment);
  const complete = { type: 'Complete', status: 'False', reason: 'NotAccepted', message } as const;
  return { status: withCondition(accepted, complete, moment), actions: [], requeueAt: retryAt };
}

function cancelBeforeRuns(status: ClawBenchBatchStatus, moment: Moment): BatchDecision {
  const message = 'The batch was cancelled before any run started.';
  const done = { ...status, phase: 'Cancelled', completionTime: status.completionTime ?? rfc3339(moment.now) } as const;
  return {
    status: withCondition(done, { type: 'Complete', status: 'True', reason: 'Cancelled', message }, moment),
    actions: [],
    requeueAt: null,
  };
}

function runStep(input: BatchInput, begun: ClawBenchBatchStatus, moment: Moment): BatchDecision {
  const { batch, runs, now } = input;
  const { spec } = batch;
  const planned = plan(input, begun);
  const inOrder = byPlan(runs, planned);
  const { current, roundOver, noNewRuns } = newRound(input, begun);
  const missing = noNewRuns ? [] : planned.filter((run) => !inOrder.has(run.name));
  const own = [...inOrder.values()];
  const status = roundOver && someWereDeleted(begun, own) ? current : score(input, current, planned, own);
  const specHash = verdictInputsHash(spec.judge);
  const again = status.judge?.specHash !== undefined && status.judge.specHash !== specHash;
  const closed = own.filter(isClosed);
  const settled = missing.length === 0 && closed.length === own.length;
  const facts = {
    batch: batch.metadata.name,
    job: input.judge,
    list: judgeList({ runs: own, judge: spec.judge, again }),
    closedRuns: closed.filter((run) => run.status?.outcome !== 'Cancelled').length,
    settled,
    roundOver,
    specHash,
    pendingSeconds: spec.deadlines.pendingSeconds,
    now,
  };
  const judged = judgeStep(status, facts);
  const done = completionStep(judged.status, { ...facts, batch, runs: own, moment });
  const create: BatchDecision['actions'] = missing.length === 0 ? [] : [{ type: 'createRuns', runs: missing }];
  return {
    status: done.status,
    actions: [...create, ...judged.actions, ...done.actions],
    requeueAt: earliest([judged.requeueAt, done.requeueAt]),
  };
}

interface BatchRound {
  readonly current: ClawBenchBatchStatus;
  readonly roundOver: boolean;
  /**
   * No further run is created. A run that somebody deletes after the first completion stays deleted, even if the batch
   * is judged again.
   */
  readonly noNewRuns: boolean;
}

function newRound({ batch, now }: BatchInput, begun: ClawBenchBatchStatus): BatchRound {
  const { spec } = batch;
  const ended = isTrue(conditionsOf(batch.status), 'Complete');
  const { judge, roundOver } = roundOf(begun.judge, ended, judgeBlockHash(spec.judge), now);
  const current = judge === undefined ? begun : { ...begun, judge };
  return { current, roundOver, noNewRuns: spec.cancel || ended || judge?.endHash !== undefined };
}

/** The agent is done. */
function isClosed({ status }: Run): boolean {
  return status?.phase === 'Judging' || status?.phase === 'Complete';
}

/** Runs that were deleted after completion do not change the score. */
function someWereDeleted({ counts }: ClawBenchBatchStatus, runs: readonly Run[]): boolean {
  return runs.filter(isClosed).length < (counts?.finished ?? 0) + (counts?.judging ?? 0);
}

/** The plan of an accepted batch. It is deterministic, so it is computed and never stored. */
function plan(input: BatchInput, status: ClawBenchBatchStatus): PlannedRun[] {
  const { metadata, spec } = input.batch;
  return planRuns({
    batch: metadata.name,
    tasks: input.tasks ?? [],
    models: status.models ?? [],
    harnesses: spec.harnesses,
    repetitions: spec.repetitions,
  });
}

function byPlan(runs: readonly Live<Run>[], planned: readonly PlannedRun[]): Map<string, Live<Run>> {
  const byName = new Map(runs.map((run) => [run.metadata.name, run]));
  const inOrder = new Map<string, Live<Run>>();
  for (const { name } of planned) {
    const run = byName.get(name);
    if (run !== undefined) inOrder.set(name, run);
  }
  return inOrder;
}

function score(
  input: BatchInput,
  status: ClawBenchBatchStatus,
  planned: readonly PlannedRun[],
  runs: readonly Live<Run>[],
): ClawBenchBatchStatus {
  const summary = summarise(input, planned, runs);
  const counts = countRuns(runs, planned.length);
  const usage = input.usageDue || status.usage === undefined ? batchUsage(runs, input.liveUsage) : status.usage;
  const { nTotal, nIntercepted } = summary.overall;
  const columns = {
    intercepted: share(nIntercepted, nTotal),
    pass: share(counts.passed, nTotal),
    cost: costColumn(usage),
  };
  const rescore = summary as unknown as NonNullable<ClawBenchBatchStatus['rescoreSummary']>;
  return { ...status, counts, usage: { ...status.usage, ...usage }, rescoreSummary: rescore, columns };
}

function summarise(input: BatchInput, planned: readonly PlannedRun[], runs: readonly Live<Run>[]): ScoreTables {
  const { judge } = input.batch.spec;
  const tasks = new Map((input.tasks ?? []).map((task) => [task.case, task]));
  return rescoreSummary({
    runs: scoredRuns(runs, tasks, judge !== undefined),
    planned: plannedRows(planned),
    rubrics: askedRubrics(judge),
    passRubric: judge?.passRubric ?? 'Strict',
  });
}

/** Printer columns show numbers without formatting, so shares are written as text. */
function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${String(part)}/${String(whole)} (${((100 * part) / whole).toFixed(1)}%)`;
}
