import { isObject, parseJson } from '../text/json.ts';
import { pythonText } from '../text/python-text.ts';
import { coerceMatch } from './verdict-words.ts';
import { contradictsItself } from './contradiction.ts';
import { parseProseVerdict } from './parse-prose-verdict.ts';
import type { PromptRubric } from './rubrics.ts';
import { withoutReasoning } from './without-reasoning.ts';

/** A verdict as read from a reply. `match: null` means that there is none in it. */
export interface ParsedVerdict {
  readonly match: boolean | null;
  readonly reason: string;
}

/**
 * Reads a judge's reply as upstream does, but for one thing: a yes in a reply that also says no is no verdict, and the
 * judge is asked again. A no stays a no: nobody is passed by it, and it is upstream's reading. Never throws.
 */
export function parseVerdict(reply: string, rubric: PromptRubric): ParsedVerdict {
  const said = withoutReasoning(reply);
  const read = readAsUpstream(said, rubric);
  return read.match === true && contradictsItself(said) ? { match: null, reason: CONTRADICTION } : read;
}

const CONTRADICTION = 'the reply holds two different verdicts';

/** Upstream's reading: JSON, else a cautious reading of prose. Takes one of two verdicts. */
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

/** Strict and answer: from the first brace to the last one, whatever stands around. */
function embeddedObject(text: string): Record<string, unknown> | null {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start === -1 || end < start ? null : asObject(text.slice(start, end + 1));
}

/** Lenient: the whole reply without the lines of a code fence. */
function wholeObject(text: string): Record<string, unknown> | null {
  const lines = text.split('\n').filter((line) => !line.trim().startsWith('```'));
  return asObject(lines.join('\n').trim());
}

function asObject(text: string): Record<string, unknown> | null {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : null;
}
