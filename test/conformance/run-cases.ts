import { stringifyJson } from '../../benchmark/json.ts';
import type { ConformanceCase } from './case-file.ts';
import { DIFFERENCES } from './differences.ts';
import { NotHere, type Environment, type Group } from './group.ts';

export type Verdict =
  | { readonly id: string; readonly result: 'passed' }
  | { readonly id: string; readonly result: 'failed'; readonly detail: string }
  | { readonly id: string; readonly result: 'skipped'; readonly detail: string };

/**
 * Tries every case, one after the other.
 * @param later reasons of groups that are not tried at all.
 */
export async function runCases(
  cases: readonly ConformanceCase[],
  groups: Readonly<Record<string, Group>>,
  later: Readonly<Record<string, string>>,
  environment: Environment,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const one of cases) {
    const skip = later[one.group];
    const group = groups[one.group];
    if (skip !== undefined) verdicts.push({ id: one.id, result: 'skipped', detail: skip });
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
    return differs(one, `expected ${stringifyJson(one.expected)}\n    got      ${stringifyJson(actual)}`);
  } catch (error) {
    if (error instanceof NotHere) return { id: one.id, result: 'skipped', detail: error.message };
    return differs(one, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function differs(one: ConformanceCase, detail: string): Verdict {
  const reason = DIFFERENCES[one.group];
  if (one.quirk === false || reason === undefined) return { id: one.id, result: 'failed', detail };
  return { id: one.id, result: 'skipped', detail: typeof one.quirk === 'string' ? one.quirk : reason };
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
