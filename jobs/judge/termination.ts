import type { JudgeMessage } from '../../benchmark/protocol/job-messages.ts';
import type { Redactor } from '../../benchmark/bundle/redact.ts';
import type { JudgeRunsResult } from '../../judging/run/judge-runs.ts';

/** Longer messages are truncated: a condition's message is read in a narrow table. */
const MAX_ERROR_CHARS = 300;

/**
 * The Job's termination message: the counts of its list, and the last error if a run is left open, so that a person who
 * reads the batch's condition knows what to fix.
 * @param redact removes keys and credentials that an error may quote.
 */
export function judgeResult(
  result: JudgeRunsResult<'judged' | 'promoted'>,
  facts: Pick<JudgeMessage, 'summarised' | 'usage'>,
  redact: Redactor,
): JudgeMessage {
  const { done, open, stopped, lastError } = result;
  const judged = done.filter((what) => what === 'judged').length;
  const why = stopped ?? lastError;
  const said = `${String(judged)} judged, ${String(open)} without a verdict`;
  return {
    ok: open === 0,
    judged,
    unjudged: open,
    promoted: done.length - judged,
    ...facts,
    reason: stopped === null ? (open === 0 ? 'Judged' : 'JudgeCallsFailed') : 'JudgePaused',
    message: `${why === null || open === 0 ? said : `${said}; last error: ${errorText(why, redact)}`}.`,
  };
}

/** An error as one line, without secrets and without a full stop. */
function errorText(error: unknown, redact: Redactor): string {
  const text = redact(error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  return text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS - 1)}…` : text;
}

/**
 * Reports what the judge's calls have cost even if the Job fails: the budget counts it.
 * @param spent the cost so far.
 */
export async function withSpend(
  work: () => Promise<JudgeMessage>,
  spent: () => JudgeMessage['usage'],
  redact: Redactor,
): Promise<JudgeMessage> {
  try {
    return await work();
  } catch (error) {
    return { ...failedResult(error, redact), usage: spent() };
  }
}

/** The termination message of a Job that failed as a whole. */
export function failedResult(error: unknown, redact: Redactor): JudgeMessage {
  const message = `${errorText(error, redact)}.`;
  return { ok: false, judged: 0, unjudged: 0, promoted: 0, summarised: 0, reason: 'JudgeFailed', message };
}
