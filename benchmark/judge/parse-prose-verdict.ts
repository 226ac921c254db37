import type { PromptRubric } from './rubrics.ts';
import { NEGATED_MATCH } from './verdict-words.ts';

/**
 * The verdict in a reply without usable JSON. Upstream's keyword rules turn "this is a MISMATCH, it is true that the quantity
 * is wrong" into a pass (J1) and "I cannot say it is true or false" into a failure of the agent. Two guards prevent that: a yes
 * next to a negation, and a no in a sentence with both words, are not a verdict, and the judge is asked again.
 */
export function parseProseVerdict(text: string, rubric: PromptRubric): boolean | null {
  const lower = text.toLowerCase();
  const verdict = rubric === 'lenient' ? lenientWords(lower) : strictWords(lower);
  if (verdict === true && NEGATED_MATCH.test(lower)) return null;
  if (verdict === false && lower.includes('true') && !EXPLICIT_NO.test(lower)) return null;
  return verdict;
}

const EXPLICIT_NO = /match["'*\s]{0,4}[:=]?["'*\s]{0,4}false/;

function strictWords(text: string): boolean | null {
  if (!text.includes('match')) return null;
  const lastTrue = text.lastIndexOf('true');
  if (lastTrue !== -1 && !text.slice(lastTrue + 4, lastTrue + 34).includes('false')) return true;
  return text.includes('false') ? false : null;
}

function lenientWords(text: string): boolean | null {
  const start = text.indexOf('match');
  if (start === -1) return null;
  const near = text.slice(start + 5, start + 85);
  if (near.includes('false')) return false;
  return near.includes('true') ? true : null;
}
