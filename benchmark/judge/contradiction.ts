import { endOfString, parseJson } from '../text/json.ts';
import { coerceMatch, NEGATED_MATCH } from './verdict-words.ts';

/**
 * Whether a judge's reply states more than one verdict. Upstream uses one of them (the last key, the last word), so a judge
 * that echoes a body with `{"match": true}` and then says no could pass the agent. Such a reply is not a verdict: the judge is
 * asked again. Text inside a string of a JSON object is a quotation and is ignored; otherwise a page could invalidate every
 * reply that quotes it.
 *
 * It is cautious on purpose: asking again costs one call, a wrong pass falsifies the score.
 */
export function contradictsItself(reply: string): boolean {
  const { objects, prose } = splitReply(reply);
  const said = new Set<boolean | null>(saidInProse(prose.toLowerCase(), objects.length === 0));
  for (const object of objects) for (const verdict of saidInObject(object)) said.add(verdict);
  return said.size > 1;
}

/** Maximum number of opening braces that start no object; the rest of such a reply is treated as prose. */
const MOST_BROKEN = 16;

/** The outermost JSON objects of a reply, and the text without them. */
function splitReply(reply: string): { objects: string[]; prose: string } {
  const objects: string[] = [];
  let [prose, from, broken] = ['', 0, 0];
  for (let at = reply.indexOf('{'); at !== -1 && broken < MOST_BROKEN; at = reply.indexOf('{', at + 1)) {
    const end = endOfObject(reply, at);
    const object = reply.slice(at, end);
    if (end === -1 || !parseJson(object).ok) {
      broken += 1;
      continue;
    }
    objects.push(object);
    prose += `${reply.slice(from, at)} ; `;
    from = end;
    at = end - 1;
  }
  return { objects, prose: prose + reply.slice(from) };
}

/** The index after the brace that closes the object at `start`; -1: it is not closed. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{') depth += 1;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

/** Keys that state a verdict, at any depth and however often; a JSON parser would keep only the last one. */
const KEYS: ReadonlySet<string> = new Set(['match', 'verdict']);
const MEMBER = /("(?:[^"\\]|\\.)*")\s*(?::\s*("(?:[^"\\]|\\.)*"|[\w.+-]+)?)?/gs;

/** @param object valid JSON. */
function saidInObject(object: string): (boolean | null)[] {
  return [...object.matchAll(MEMBER)].flatMap(([, key = '""', value]) =>
    value !== undefined && KEYS.has(textOf(key).trim().toLowerCase()) ? [coerceMatch(scalar(value))] : [],
  );
}

function scalar(source: string): unknown {
  return source === 'true' || source === 'false' ? source === 'true' : textOf(source);
}

function textOf(source: string): string {
  const parsed = parseJson(source);
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : '';
}

/** "match: true", "'match': False", "**verdict** = `fail`", "it is a match"; not "true or false". */
const STATED =
  /\b(?:match|verdict)["'`*\s]{0,4}(?:[:=]|\bis\b)?["'`*\s]{0,4}(true|false|yes|pass|fail|mismatch)\b(?!["'`*\s]{0,4}(?:or|and|\/|\|))/g;
const YES = /\b(?:is|it['’]s) a match\b/;

/**
 * @param alone there is no object, so the prose has to contain the verdict. Next to an object only an explicitly stated verdict
 * counts: "the date does not match the default" is an explanation, and a judge at temperature 0 would repeat it every time.
 */
function saidInProse(text: string, alone: boolean): (boolean | null)[] {
  const stated = [...text.matchAll(STATED)].map(([, word]) => coerceMatch(word));
  if (!alone) return stated;
  if (stated.length === 0 && /\btrue\b/.test(text) && /\bfalse\b/.test(text)) return [true, false];
  return [...stated, ...(YES.test(text) ? [true] : []), ...(NEGATED_MATCH.test(text) ? [false] : [])];
}
