import type { Outcome, Reason } from '../../benchmark/outcome.ts';
import type { ClawBenchRunStatus, Verdict } from '../../crds/status/run-status.ts';
import type { BatchFacts } from './batch-facts.ts';
import { rfc3339, withCondition, type Moment } from './observe.ts';

/** Outcomes that a verdict decides, if the terminal request was intercepted. */
const JUDGED: readonly (Outcome | undefined)[] = ['JudgePending', 'Passed', 'Failed'];

/** Whether the run's outcome is the judge's to decide. */
export function isJudged(status: ClawBenchRunStatus): boolean {
  return status.intercepted === true && JUDGED.includes(status.outcome);
}

/** Whether a rubric that the batch asks for has no verdict yet. */
export function awaitsVerdict(status: ClawBenchRunStatus, facts: Pick<BatchFacts, 'rubrics'>): boolean {
  return isJudged(status) && facts.rubrics.some((rubric) => status.verdicts?.[rubric] === undefined);
}

type Sentence = { outcome: Outcome; reason: Reason; message: string; judged: 'True' | 'False'; word: string };

/**
 * Outcome, phase and the conditions `Judged` and `Complete` from the verdicts that the judge Job has applied. Verdicts
 * are observed, never copied, and a later one changes the outcome again (re-judging).
 * @param status one whose attempt is over for good.
 */
export function applyVerdict(status: ClawBenchRunStatus, facts: BatchFacts, moment: Moment): ClawBenchRunStatus {
  if (!isJudged(status)) return complete(withoutVerdict(status, moment), moment);
  const pass = facts.passRubric;
  const said = pass === null ? unquestioned() : readVerdict(status.verdicts?.[pass], pass);
  const next = withCondition(
    { ...status, outcome: said.outcome, reason: said.reason, message: said.message },
    { type: 'Judged', status: said.judged, reason: said.word, message: said.message },
    moment,
  );
  if (awaitsVerdict(status, facts) && !facts.ended) return judging(next, moment);
  return complete({ ...next, times: { ...next.times, judged: next.times?.judged ?? rfc3339(moment.now) } }, moment);
}

function unquestioned(): Sentence {
  const message = 'The terminal request was intercepted; there is no judge (spec.judge is absent).';
  return { outcome: 'Passed', reason: 'Intercepted', message, judged: 'False', word: 'NoJudge' };
}

function readVerdict(verdict: Verdict | undefined, rubric: string): Sentence {
  const pending = { outcome: 'JudgePending', reason: 'Intercepted', judged: 'False' } as const;
  if (verdict === undefined) {
    return { ...pending, word: 'Waiting', message: 'The terminal request was intercepted and waits for a verdict.' };
  }
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

function withoutVerdict(status: ClawBenchRunStatus, moment: Moment): ClawBenchRunStatus {
  const message = 'There is nothing to judge.';
  return withCondition(status, { type: 'Judged', status: 'False', reason: 'NothingToJudge', message }, moment);
}

function judging(status: ClawBenchRunStatus, moment: Moment): ClawBenchRunStatus {
  const message = 'Waits for a verdict.';
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
