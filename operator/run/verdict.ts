import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { isNonResult, type Outcome } from '../../benchmark/outcome/outcome.ts';
import type { ClawBenchRunStatus, VerdictStatus } from '../../crds/status/run-status.ts';
import { withCondition, type Moment } from '../conditions.ts';
import { rfc3339 } from '../timestamps.ts';
import type { BatchFacts } from './batch-facts.ts';
import { outcomeBeforeVerdict } from './outcome-before-verdict.ts';

/** Outcomes that a verdict decides if the terminal request was intercepted. */
const JUDGED_OUTCOMES: readonly (Outcome | undefined)[] = ['JudgePending', 'Passed', 'Failed'];

/** The rubric that judges the whole session, with or without an intercepted request. */
const SESSION_RUBRIC: Rubric = 'Agentic';

/**
 * Which of the requested rubrics have something to judge: all of them for an intercepted request. For a session without
 * one only the evaluator that looks at everything, and only if the agent itself ended the session and left evidence.
 */
export function rubricsOf(status: ClawBenchRunStatus, asked: readonly Rubric[]): readonly Rubric[] {
  const { outcome, evidence } = status;
  if (status.intercepted === true) return JUDGED_OUTCOMES.includes(outcome) ? asked : [];
  if (outcome === undefined || isNonResult(outcome) || evidence === undefined || evidence === 'None') return [];
  return asked.filter((rubric) => rubric === SESSION_RUBRIC);
}

/** Whether a rubric that was requested for the run has no verdict yet. */
export function awaitsVerdict(status: ClawBenchRunStatus, { rubrics }: Pick<BatchFacts, 'rubrics'>): boolean {
  return rubricsOf(status, rubrics).some((rubric) => status.verdicts?.[rubric] === undefined);
}

type VerdictEffect = {
  outcome: Outcome;
  reason: string;
  message: string;
  judged: 'True' | 'False';
  conditionReason: string;
};

/**
 * Outcome, phase and the conditions `Judged` and `Complete` from the verdicts that the judge Job has applied. Verdicts
 * are observed, never copied. A later verdict, or another pass rubric, changes the outcome again (re-judging).
 * @param status of a run without further attempts.
 */
export function applyVerdict(status: ClawBenchRunStatus, facts: BatchFacts, moment: Moment): ClawBenchRunStatus {
  const ended = { ...status, ...outcomeBeforeVerdict(status) };
  const effect = outcomeByVerdict(ended, facts);
  const next = effect === null ? withNothingToJudge(ended, moment) : withVerdict(ended, effect, moment);
  if (awaitsVerdict(ended, facts) && !facts.ended) return awaitVerdict(next, moment);
  if (effect === null) return complete(next, moment);
  return complete({ ...next, times: { ...next.times, judged: next.times?.judged ?? rfc3339(moment.now) } }, moment);
}

/** Null: the judge does not decide this outcome. */
function outcomeByVerdict(ended: ClawBenchRunStatus, { passRubric, rubrics }: BatchFacts): VerdictEffect | null {
  const intercepted = ended.intercepted === true;
  if (passRubric === null) return intercepted && JUDGED_OUTCOMES.includes(ended.outcome) ? passedWithoutJudge() : null;
  if (!rubricsOf(ended, rubrics).includes(passRubric)) return null;
  return readVerdict(
    ended.verdicts?.[passRubric],
    passRubric,
    intercepted ? INTERCEPTED_REQUEST : sessionSubject(ended),
  );
}

function passedWithoutJudge(): VerdictEffect {
  const message = 'The terminal request was intercepted; no judge is configured (spec.judge is absent).';
  return { outcome: 'Passed', reason: 'Intercepted', message, judged: 'False', conditionReason: 'NoJudge' };
}

/** What is judged: why the agent ended, and the message while there is no verdict. */
interface JudgedSubject {
  readonly reason: string;
  readonly waitingMessage: string;
}

const INTERCEPTED_REQUEST: JudgedSubject = {
  reason: 'Intercepted',
  waitingMessage: 'The terminal request was intercepted; waiting for a verdict.',
};

function sessionSubject({ reason = 'AgentExited' }: ClawBenchRunStatus): JudgedSubject {
  return { reason, waitingMessage: 'Nothing was intercepted; waiting for a verdict on the whole session.' };
}

function readVerdict(
  verdict: VerdictStatus | undefined,
  rubric: string,
  { reason, waitingMessage }: JudgedSubject,
): VerdictEffect {
  const pending = { outcome: 'JudgePending', reason, judged: 'False' } as const;
  if (verdict === undefined) return { ...pending, conditionReason: 'Waiting', message: waitingMessage };
  const why = verdict.reason === undefined || verdict.reason === '' ? '' : `: ${verdict.reason}`;
  if (verdict.match === null) {
    return { ...pending, conditionReason: 'Unusable', message: `The judge gave no usable answer (${rubric})${why}` };
  }
  return verdict.match
    ? {
        outcome: 'Passed',
        reason: 'JudgedMatch',
        judged: 'True',
        conditionReason: 'JudgedMatch',
        message: `${rubric}${why || ': match.'}`,
      }
    : {
        outcome: 'Failed',
        reason: 'JudgedMismatch',
        judged: 'True',
        conditionReason: 'JudgedMismatch',
        message: `${rubric}${why || ': no match.'}`,
      };
}

function withVerdict(status: ClawBenchRunStatus, effect: VerdictEffect, moment: Moment): ClawBenchRunStatus {
  const { outcome, reason, message, judged, conditionReason } = effect;
  const next = { ...status, outcome, reason, message };
  return withCondition(next, { type: 'Judged', status: judged, reason: conditionReason, message }, moment);
}

function withNothingToJudge(status: ClawBenchRunStatus, moment: Moment): ClawBenchRunStatus {
  const message = 'There is nothing to judge.';
  return withCondition(status, { type: 'Judged', status: 'False', reason: 'NothingToJudge', message }, moment);
}

function awaitVerdict(status: ClawBenchRunStatus, moment: Moment): ClawBenchRunStatus {
  const message = 'Waiting for a verdict.';
  return withCondition(
    { ...status, phase: 'Judging' },
    { type: 'Complete', status: 'False', reason: 'Judging', message },
    moment,
  );
}

function complete(status: ClawBenchRunStatus, moment: Moment): ClawBenchRunStatus {
  const times = { ...status.times, completed: status.times?.completed ?? rfc3339(moment.now) };
  const message = `${status.outcome ?? 'Ended'}: ${status.message ?? ''}`;
  const condition = { type: 'Complete', status: 'True', reason: status.reason ?? 'Ended', message } as const;
  return withCondition({ ...status, phase: 'Complete', times, pendingReason: undefined }, condition, moment);
}
