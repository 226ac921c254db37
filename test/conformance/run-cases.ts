import { isObject, stringifyJson } from '../../benchmark/text/json.ts';
import { canonicalJson } from './canonical-json.ts';
import type { ConformanceCase } from './case-file.ts';
import { DIFFERENCE_REASONS } from './difference-reasons.ts';
import { intendedAnswer } from './intended-differences.ts';
import { NotAvailableHere, type ConformanceEnvironment, type ConformanceGroup } from './group.ts';
import { comparedFields } from './ignored-fields.ts';

export type CaseResult =
  | { readonly id: string; readonly result: 'passed' }
  | { readonly id: string; readonly result: 'failed'; readonly detail: string }
  | { readonly id: string; readonly result: 'skipped'; readonly because: Because; readonly detail: string };

/**
 * `difference`: intended, and our answer is the listed one. `unlisted`: intended, but no answer of ours is listed. `not-here`: it
 * cannot run on this machine. `elsewhere`: another runner runs its group.
 */
type Because = 'difference' | 'unlisted' | 'not-here' | 'elsewhere';

/**
 * Runs every case, one after the other.
 * @param elsewhere groups that another runner runs, with the reason; a group without a runner fails.
 */
export async function runCases(
  cases: readonly ConformanceCase[],
  groups: Readonly<Record<string, ConformanceGroup>>,
  elsewhere: Readonly<Record<string, string>>,
  environment: ConformanceEnvironment,
): Promise<CaseResult[]> {
  const verdicts: CaseResult[] = [];
  for (const one of cases) {
    const skip = elsewhere[one.group];
    const group = groups[one.group];
    if (skip !== undefined) verdicts.push({ id: one.id, result: 'skipped', because: 'elsewhere', detail: skip });
    else if (group === undefined)
      verdicts.push({ id: one.id, result: 'failed', detail: `no check for group ${one.group}` });
    else verdicts.push(await tryCase(one, group, environment));
  }
  return verdicts;
}

async function tryCase(
  one: ConformanceCase,
  group: ConformanceGroup,
  environment: ConformanceEnvironment,
): Promise<CaseResult> {
  try {
    const actual = comparedFields(one, await group(one, environment));
    const expected = comparedFields(one, one.expected);
    if (canonicalJson(actual) === canonicalJson(expected)) return { id: one.id, result: 'passed' };
    return differs(one, expected, actual);
  } catch (error) {
    if (error instanceof NotAvailableHere)
      return { id: one.id, result: 'skipped', because: 'not-here', detail: error.message };
    // Nobody is different on purpose by falling over.
    return {
      id: one.id,
      result: 'failed',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

/** A difference is intended only if the case and our list both mark it, and our answer is the one in `intended-differences.ts`. */
function differs(one: ConformanceCase, expected: unknown, actual: unknown): CaseResult {
  const reason = DIFFERENCE_REASONS[one.group];
  const failed = (wanted: unknown): CaseResult => {
    const detail = `expected ${stringifyJson(wanted)}\n    got      ${stringifyJson(actual)}`;
    return { id: one.id, result: 'failed', detail };
  };
  if (one.quirk === false || reason === undefined) return failed(expected);
  const why = typeof one.quirk === 'string' ? one.quirk : reason;
  const instead = intendedAnswer(one, expected);
  if (instead === null) {
    if (canonicalJson(targetOf(actual)) !== canonicalJson(targetOf(expected))) return failed(expected);
    const detail = `${why} (not checked; ours: ${stringifyJson(actual)})`;
    return { id: one.id, result: 'skipped', because: 'unlisted', detail };
  }
  if (canonicalJson(actual) !== canonicalJson(instead.answer)) return failed(instead.answer);
  return { id: one.id, result: 'skipped', because: 'difference', detail: why };
}

/** Fields in which a case says what is right, beside upstream's own: no difference excuses another answer there. */
function targetOf(answer: unknown): unknown {
  const entries = isObject(answer) ? Object.entries(answer) : [];
  return Object.fromEntries(entries.filter(([key]) => /^(true|required)_/.test(key)));
}
