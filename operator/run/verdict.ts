import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { isNonResult, type Outcome } from '../../benchmark/outcome/outcome.ts';
import type { ClawBenchRunStatus, VerdictStatus } from '../../crds/status/run-status.ts';
import type { BatchFacts } from './batch-facts.ts';
import { outcomeBeforeVerdict } from './outcome-before-verdict.ts';
import { rfc3339 } from '../timestamps.ts';
import { withCondition, type Moment } from '../conditions.ts';

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

type Sentence = { outcome: Outcome; reason: string; message: string; judged: 'True' | 'False'; word: string };

/**
 * Outcome, phase and the conditions `Judged` and `Complete` from the verdicts that the judge Job has applied. Verdicts
 * are observed, never copied. A later verdict, or another pass rubric, changes the outcome again (re-judging).
 * @param status of a run without further attempts.
 */
export function applyVerdict(status: ClawBenchRunStatus, facts: BatchFacts, moment: Moment): ClawBenchRunStatus {
  const ended = { ...status, ...outcomeBeforeVerdict(status) };
  const said = decided(ended, facts);
  const next = said === null ? withoutVerdict(ended, moment) : withSentence(ended, said, moment);
  if (awaitsVerdict(ended, facts) && !facts.ended) return judging(next, moment);
  if (said === null) return complete(next, moment);
  return complete({ ...next, times: { ...next.times, judged: next.times?.judged ?? rfc3339(moment.now) } }, moment);
}

/** Null: the judge does not decide this outcome. */
function decided(ended: ClawBenchRunStatus, { passRubric, rubrics }: BatchFacts): Sentence | null {
  const caught = ended.intercepted === true;
  if (passRubric === null) return caught && JUDGED_OUTCOMES.includes(ended.outcome) ? passedWithoutJudge() : null;
  if (!rubricsOf(ended, rubrics).includes(passRubric)) return null;
  return readVerdict(ended.verdicts?.[passRubric], passRubric, caught ? CAUGHT : sessionOf(ended));
}

function passedWithoutJudge(): Sentence {
  const message = 'The terminal request was intercepted; no judge is configured (spec.judge is absent).';
  return { outcome: 'Passed', reason: 'Intercepted', message, judged: 'False', word: 'NoJudge' };
}

/** What is judged: why the agent ended, and the message while there is no verdict. */
interface Judged {
  readonly reason: string;
  readonly waits: string;
}

const CAUGHT: Judged = {
  reason: 'Intercepted',
  waits: 'The terminal request was intercepted; waiting for a verdict.',
};

function sessionOf({ reason = 'AgentExited' }: ClawBenchRunStatus): Judged {
  return { reason, waits: 'Nothing was intercepted; waiting for a verdict on the whole session.' };
}

function readVerdict(verdict: VerdictStatus | undefined, rubric: string, { reason, waits }: Judged): Sentence {
  const pending = { outcome: 'JudgePending', reason, judged: 'False' } as const;
  if (verdict === undefined) return { ...pending, word: 'Waiting', message: waits };
  const why = verdict.reason === undefined || verdict.reason === '' ? '' : `: ${verdict.reason}`;
  if (verdict.match === null) {
    return { ...pending, word: 'Unusable', message: `The judge gave no usable answer (${rubric})${why}` };
  }
  return verdict.match
    ? {
        outcome: 'Passed',
        reason: 'JudgedMatch',
        judged: 'True',
        word: 'JudgedMatch',
        message: `${rubric}${why || ': match.'}`,
      }
    : {
        outcome: 'Failed',
        reason: 'JudgedMismatch',
        judged: 'True',
        word: 'JudgedMismatch',
        message: `${rubric}${why || ': no match.'}`,
      };
}

function withSentence(status: ClawBenchRunStatus, said: Sentence, moment: Moment): ClawBenchRunStatus {
  const { outcome, reason, message, judged, word } = said;
  const next = { ...status, outcome, reason, message };
  return withCondition(next, { type: 'Judged', status: judged, reason: word, message }, moment);
}

function withoutVerdict(status: ClawBenchRunStatus, moment: Moment): ClawBenchRunStatus {
  const message = 'There is nothing to judge.';
  return withCondition(status, { type: 'Judged', status: 'False', reason: 'NothingToJudge', message }, moment);
}

function judging(status: ClawBenchRunStatus, moment: Moment): ClawBenchRunStatus {
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
