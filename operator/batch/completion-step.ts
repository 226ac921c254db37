import { countOf, isOrAre } from '../../benchmark/text/count-of.ts';
import { askedRubrics } from '../../crds/blocks/judge.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { findCondition } from '../../kube/conditions.ts';
import type { Live } from '../../kube/object.ts';
import { withCondition, conditionsOf, type Moment } from '../conditions.ts';
import { awaitsVerdict } from '../run/verdict.ts';
import { storeUrl } from '../store-url.ts';
import { parseTime, rfc3339 } from '../timestamps.ts';
import type { BatchDecision } from './actions.ts';
import { judgeBlockHash, endRound } from './judge-round.ts';
import { isJudgeDue, type JudgeInput } from './judge-step.ts';

export interface CompletionInput extends Pick<JudgeInput, 'list' | 'settled' | 'roundOver' | 'closedRuns' | 'now'> {
  readonly batch: Live<Batch>;
  readonly runs: readonly Live<Run>[];
  readonly moment: Moment;
}

/** When only the summary is missing, give up after this many failures in a row: the score is in the status. */
const SUMMARY_TRIES = 5;

/** Phase, `Progressing` and `Complete` of an accepted batch, and its deletion after the TTL. */
export function completionStep(status: ClawBenchBatchStatus, input: CompletionInput): BatchDecision {
  const completion = input.roundOver ? writtenCompletion(input) : completionOf(status, input);
  const withFiles = summaryFiles(status, input.batch);
  if (completion === null)
    return { status: progressing(withFiles, input), actions: [], requeueAt: giveUpAt(status, input) };
  const done = complete(withFiles, completion, input);
  const ttl = input.batch.spec.ttlSecondsAfterFinished;
  const written = parseTime(input.batch.status?.completionTime);
  if (ttl === undefined) return { status: done, actions: [], requeueAt: null };
  if (written === null) return { status: done, actions: [], requeueAt: input.now + ttl * 1000 };
  const at = written + ttl * 1000;
  return input.now < at
    ? { status: done, actions: [], requeueAt: at }
    : { status: done, actions: [{ type: 'deleteBatch' }], requeueAt: null };
}

type Completion = { readonly reason: string; readonly message: string };

/** A completion stays as it was written: what happens to runs later does not change it. */
function writtenCompletion({ batch }: CompletionInput): Completion | null {
  const { reason, message = '' } = findCondition(conditionsOf(batch.status), 'Complete') ?? {};
  return reason === undefined ? null : { reason, message };
}

/** Why the batch is complete; null: it is not. */
function completionOf(status: ClawBenchBatchStatus, input: CompletionInput): Completion | null {
  if (!input.settled || status.judge?.name !== undefined) return null;
  const allClosed = input.runs.every((run) => run.status?.phase === 'Complete');
  if (allClosed && !isJudgeDue(status.judge, input)) return allRunsComplete(status, input);
  const onlySummary = allClosed && input.list.judge.length === 0;
  if (!isLate(status, input)) return onlySummary ? completeWithoutSummary(status, SUMMARY_TRIES) : null;
  return onlySummary ? completeWithoutSummary(status, 0) : completeUnjudged(status, input);
}

function allRunsComplete(status: ClawBenchBatchStatus, input: CompletionInput): Completion {
  const summary = closedRunsMessage(status);
  if (input.batch.spec.cancel) return { reason: 'Cancelled', message: `Cancelled; ${summary}` };
  return { reason: 'AllRunsClosed', message: summary };
}

function isLate(status: ClawBenchBatchStatus, input: CompletionInput): boolean {
  const late = giveUpAt(status, input);
  return late !== null && input.now >= late;
}

function completeUnjudged(status: ClawBenchBatchStatus, { runs, batch, list }: CompletionInput): Completion {
  const rubrics = askedRubrics(batch.spec.judge);
  const open = runs.filter((run) => awaitsVerdict(run.status ?? {}, { rubrics })).length;
  const rest = `${list.judge.length === 1 ? 'has' : 'have'} only an earlier judge's verdict`;
  const which =
    open === 0
      ? `${countOf(list.judge.length, 'run')} ${rest}`
      : `${countOf(open, 'run')} ${open === 1 ? 'has' : 'have'} no verdict`;
  return { reason: 'Unjudged', message: `${which}: ${judgeMessage(status)}` };
}

function completeWithoutSummary(status: ClawBenchBatchStatus, tries: number): Completion | null {
  if ((status.judge?.failures ?? 0) < tries) return null;
  const message = `All runs are complete, but the summary could not be written: ${judgeMessage(status)}`;
  return { reason: 'SummaryNotWritten', message };
}

function judgeMessage(status: ClawBenchBatchStatus): string {
  return status.judge?.message ?? 'the judge did not answer.';
}

function closedRunsMessage({ counts }: ClawBenchBatchStatus): string {
  const total = counts?.total ?? 0;
  return `${String(counts?.finished ?? 0)} of ${countOf(total, 'run')} ${isOrAre(total)} complete.`;
}

/**
 * Missing verdicts count as unjudged from `deadlines.judgeSeconds` after the last agent's end, or after the start of a
 * new round.
 */
function giveUpAt({ judge }: ClawBenchBatchStatus, { batch, runs, settled }: CompletionInput): number | null {
  if (!settled || runs.length === 0) return null;
  const ends = runs.map(
    (run) => parseTime(run.status?.attempts?.at(-1)?.times?.ended) ?? parseTime(run.status?.times?.completed) ?? 0,
  );
  return Math.max(...ends, parseTime(judge?.againTime) ?? 0) + batch.spec.deadlines.judgeSeconds * 1000;
}

function complete(status: ClawBenchBatchStatus, completion: Completion, input: CompletionInput): ClawBenchBatchStatus {
  const { moment, batch } = input;
  const phase = batch.spec.cancel ? 'Cancelled' : 'Complete';
  const done: ClawBenchBatchStatus = {
    ...status,
    phase: (input.roundOver ? batch.status?.phase : undefined) ?? phase,
    completionTime: status.completionTime ?? rfc3339(moment.now),
    judge: endRound(status.judge, judgeBlockHash(batch.spec.judge)),
  };
  const withProgressing = withCondition(
    done,
    { type: 'Progressing', status: 'False', reason: completion.reason, message: completion.message },
    moment,
  );
  return withCondition(withProgressing, { type: 'Complete', status: 'True', ...completion }, moment);
}

function progressing(status: ClawBenchBatchStatus, input: CompletionInput): ClawBenchBatchStatus {
  const { moment, batch, settled } = input;
  const phase = batch.spec.suspend && !settled ? 'Suspended' : settled ? 'Judging' : 'Running';
  const message = progressMessage(status, input);
  const next: ClawBenchBatchStatus = { ...status, phase, completionTime: undefined };
  const withProgressing = withCondition(next, { type: 'Progressing', status: 'True', reason: phase, message }, moment);
  return withCondition(
    withProgressing,
    { type: 'Complete', status: 'False', reason: phase, message: 'Not all runs are complete.' },
    moment,
  );
}

/** The progress so far, and the first reason why something waits. */
function progressMessage(status: ClawBenchBatchStatus, { runs, settled }: CompletionInput): string {
  const stuck = runs.find((run) => run.status?.phase !== 'Complete' && run.status?.pendingReason !== undefined);
  const { name, failures = 0, message } = status.judge ?? {};
  const why = stuck?.status?.pendingReason ?? (settled || name !== undefined || failures > 0 ? message : undefined);
  return why === undefined ? closedRunsMessage(status) : `${closedRunsMessage(status)} ${why}`;
}

function summaryFiles(status: ClawBenchBatchStatus, batch: Live<Batch>): ClawBenchBatchStatus {
  if (status.judge?.summarised === undefined) return status;
  const below = `${storeUrl(batch)}_batches/${batch.metadata.name}/`;
  return { ...status, artifacts: { summary: `${below}summary.json`, perTask: `${below}per_task.csv` } };
}
