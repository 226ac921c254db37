import { isObject, stringifyJson } from '../../benchmark/text/json.ts';
import { canonical } from './canonical-json.ts';
import type { ConformanceCase } from './case-file.ts';
import { DIFFERENCES } from './difference-reasons.ts';
import { insteadOf } from './intended-differences.ts';
import { NotHere, type Environment, type Group } from './group.ts';
import { comparedOf } from './ignored-fields.ts';

export type Verdict =
  | { readonly id: string; readonly result: 'passed' }
  | { readonly id: string; readonly result: 'failed'; readonly detail: string }
  | { readonly id: string; readonly result: 'skipped'; readonly because: Because; readonly detail: string };

/**
 * `difference`: on purpose, and ours is what is listed instead. `unlisted`: the same, but nobody has written down what
 * ours should be. `not-here`: this machine cannot show it. `elsewhere`: its group is left to another runner.
 */
type Because = 'difference' | 'unlisted' | 'not-here' | 'elsewhere';

/**
 * Tries every case, one after the other.
 * @param elsewhere groups that are left to another runner, with the reason; a group of no runner fails.
 */
export async function runCases(
  cases: readonly ConformanceCase[],
  groups: Readonly<Record<string, Group>>,
  elsewhere: Readonly<Record<string, string>>,
  environment: Environment,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
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

async function tryCase(one: ConformanceCase, group: Group, environment: Environment): Promise<Verdict> {
  try {
    const actual = comparedOf(one, await group(one, environment));
    const expected = comparedOf(one, one.expected);
    if (canonical(actual) === canonical(expected)) return { id: one.id, result: 'passed' };
    return differs(one, expected, actual);
  } catch (error) {
    if (error instanceof NotHere) return { id: one.id, result: 'skipped', because: 'not-here', detail: error.message };
    // Nobody is different on purpose by falling over.
    return {
      id: one.id,
      result: 'failed',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

/** On purpose only where the case and our list both say so, and where ours is then what `instead.ts` says. */
function differs(one: ConformanceCase, expected: unknown, actual: unknown): Verdict {
  const reason = DIFFERENCES[one.group];
  const failed = (wanted: unknown): Verdict => {
    const detail = `expected ${stringifyJson(wanted)}\n    got      ${stringifyJson(actual)}`;
    return { id: one.id, result: 'failed', detail };
  };
  if (one.quirk === false || reason === undefined) return failed(expected);
  const why = typeof one.quirk === 'string' ? one.quirk : reason;
  const instead = insteadOf(one, expected);
  if (instead === null) {
    if (canonical(targetOf(actual)) !== canonical(targetOf(expected))) return failed(expected);
    const detail = `${why} (not checked; ours: ${stringifyJson(actual)})`;
    return { id: one.id, result: 'skipped', because: 'unlisted', detail };
  }
  if (canonical(actual) !== canonical(instead.answer)) return failed(instead.answer);
  return { id: one.id, result: 'skipped', because: 'difference', detail: why };
}

/** Fields in which a case says what is right, beside upstream's own: no difference excuses another answer there. */
function targetOf(answer: unknown): unknown {
  const entries = isObject(answer) ? Object.entries(answer) : [];
  return Object.fromEntries(entries.filter(([key]) => /^(true|required)_/.test(key)));
}
