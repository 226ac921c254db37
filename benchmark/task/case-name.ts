/**
 * Names of cases: a directory that holds `task.json`, or a flat `*.json` file. Ranges and the order of a batch go by
 * the number in the name: optional `v2-` or `ce-`, an optional letter, then digits.
 */

const NUMBERED = /^(?:v\d+-|ce-)?[A-Za-z]?(\d+)([a-z]*)/;

/** The name without `.json`. */
export function caseStem(name: string): string {
  return name.endsWith('.json') ? name.slice(0, -'.json'.length) : name;
}

/** The number in a case's name, or null (`v2-1065b-…` → 1065, `ce-T045zh-…` → 45). */
export function caseId(name: string): number | null {
  const found = NUMBERED.exec(caseStem(name));
  return found?.[1] === undefined ? null : Number(found[1]);
}

/** The letters right after the number (`v2-1065b-…` → `b`); empty when there are none. */
export function caseSuffix(name: string): string {
  return NUMBERED.exec(caseStem(name))?.[2] ?? '';
}

/** Order of cases: those with a number first, by number and then name; the others by name. */
export function compareCases(left: string, right: string): number {
  const a = caseId(left);
  const b = caseId(right);
  if (a !== b) return (a ?? Infinity) - (b ?? Infinity);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
