import { pythonText } from '../text/python-text.ts';
import { coerceMatch } from './verdict-words.ts';
import { contradictsItself } from './contradiction.ts';
import { parseProseVerdict } from './parse-prose-verdict.ts';
import type { PromptRubric } from './rubrics.ts';
import { embeddedObject, wholeObject } from './reply-object.ts';
import { withoutReasoning } from './without-reasoning.ts';

/** The verdict in a reply. `match: null`: the reply contains none. */
export interface ParsedVerdict {
  readonly match: boolean | null;
  readonly reason: string;
}

/**
 * Reads a judge's reply as upstream does, with one exception: a yes in a reply that also says no is not a verdict, and the
 * judge is asked again. A no stays a no, as upstream reads it: it passes nobody. Never throws.
 */
export function parseVerdict(reply: string, rubric: PromptRubric): ParsedVerdict {
  const said = withoutReasoning(reply);
  const read = readAsUpstream(said, rubric);
  return read.match === true && contradictsItself(said) ? { match: null, reason: CONTRADICTION } : read;
}

const CONTRADICTION = 'the reply holds two different verdicts';

/** Upstream's reading: JSON, else prose. Of two verdicts it uses one. */
function readAsUpstream(reply: string, rubric: PromptRubric): ParsedVerdict {
  const text = reply.trim();
  const object = rubric === 'lenient' ? wholeObject(text) : embeddedObject(text);
  if (object !== null) {
    return {
      match: coerceMatch(object['match']),
      reason: Object.hasOwn(object, 'reason') ? pythonText(object['reason']) : '',
    };
  }
  return { match: parseProseVerdict(text, rubric), reason: text === '' ? 'unparseable' : text.slice(0, 200) };
}
