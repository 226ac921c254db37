/** Words that state a verdict, in JSON and in prose. */

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'pass', 'match']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'fail', 'mismatch']);

/** The value of `match` as a verdict: booleans and a few words; numbers, lists and everything else are not a verdict. */
export function coerceMatch(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  const word = value.replace(/^[\s"'.]+|[\s"'.]+$/g, '').toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}

/** "mismatch", "does not match", "isn't a match" in lower-case prose. */
export const NEGATED_MATCH =
  /\bmis-?match|\b(?:not?|never|cannot)\s+(?:\w+\s+){0,2}match|n['’]t\s+(?:\w+\s+){0,2}match/;
