import { stringifyJson } from '../../benchmark/json.ts';
import type { ConformanceCase } from './case-file.ts';
import { DIFFERENCES } from './differences.ts';
import { insteadOf } from './instead.ts';
import { NotHere, type Environment, type Group } from './group.ts';

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
    const actual = await group(one, environment);
    if (canonical(actual) === canonical(one.expected)) return { id: one.id, result: 'passed' };
    return differs(one, actual);
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
function differs(one: ConformanceCase, actual: unknown): Verdict {
  const reason = DIFFERENCES[one.group];
  const failed = (wanted: unknown): Verdict => {
    const detail = `expected ${stringifyJson(wanted)}\n    got      ${stringifyJson(actual)}`;
    return { id: one.id, result: 'failed', detail };
  };
  if (one.quirk === false || reason === undefined) return failed(one.expected);
  const instead = insteadOf(one);
  if (instead.known && canonical(actual) !== canonical(instead.answer)) return failed(instead.answer);
  const why = typeof one.quirk === 'string' ? one.quirk : reason;
  if (instead.known) return { id: one.id, result: 'skipped', because: 'difference', detail: why };
  const detail = `${why} (not checked; ours: ${stringifyJson(actual)})`;
  return { id: one.id, result: 'skipped', because: 'unlisted', detail };
}

/** Keys sorted: the order of fields is checked by the files' own tests. */
function canonical(value: unknown): string {
  return stringifyJson(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
