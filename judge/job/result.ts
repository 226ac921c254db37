import type { JudgeMessage } from '../../benchmark/protocol/job-messages.ts';
import type { Redactor } from '../../benchmark/redact.ts';
import type { WorkResult } from '../work/work-list.ts';

/** Longer ones are cut: a sentence of a status is read in a narrow table. */
const MAX_ERROR_CHARS = 300;

/**
 * The Job's termination message: what became of its list, and the last error if something is left open, so that a
 * person who reads the batch's condition knows what to mend.
 * @param redact knows the keys and credentials that an error may quote.
 */
export function judgeResult(
  result: WorkResult<'judged' | 'promoted'>,
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

/** An error as one line without secrets and without its full stop. */
export function errorText(error: unknown, redact: Redactor): string {
  const text = redact(error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  return text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS - 1)}…` : text;
}
