const YES: ReadonlySet<string> = new Set(['true', 'yes', 'pass', 'match']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'fail', 'mismatch']);

/** The value of `match` as a verdict: booleans and a few words; numbers, lists and the rest are none. */
export function coerceMatch(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  const word = value.replace(/^[\s"'.]+|[\s"'.]+$/g, '').toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}
