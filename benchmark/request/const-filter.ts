import { isObject, own } from '../text/json.ts';
import { isTruthy, pythonEquals } from '../text/python-equality.ts';

/** Constant key/value filter of an eval schema (`body`, `params`). */
export type ConstFilter = Readonly<Record<string, unknown>>;

/**
 * How a list as a field's value is compared. `whole-list`: like any value, as JSON means it. `any-repeat`: the list comes
 * from a name that was sent several times, and one of its values is enough. `same-repeats`: all of its values must fit
 * (queries, where upstream reads two different values as neither).
 */
type Repeats = 'whole-list' | 'any-repeat' | 'same-repeats';

/**
 * Whether every key of the filter holds in `actual`. An empty or absent filter holds always; a list
 * holds when one element, at any depth of lists, holds all keys; a missing key equals `null`.
 */
export function constFieldsMatch(
  filter: ConstFilter | null | undefined,
  actual: unknown,
  repeats: Repeats = 'whole-list',
): boolean {
  if (!isTruthy(filter)) return true;
  return anyElementHolds(Object.entries(filter as ConstFilter), actual, repeats);
}

/** Lists are walked with a stack of our own: a body of 100,000 brackets must not overflow ours. */
function anyElementHolds(wanted: readonly [string, unknown][], actual: unknown, repeats: Repeats): boolean {
  const waiting: unknown[] = [actual];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) for (const element of value) waiting.push(element);
    else if (
      isObject(value) &&
      isTruthy(value) &&
      wanted.every(([key, expected]) => holds(value, key, expected, repeats))
    )
      return true;
  }
  return false;
}

function holds(object: Record<string, unknown>, key: string, expected: unknown, repeats: Repeats): boolean {
  const value = own(object, key) ?? null;
  const wanted = expected ?? null;
  if (pythonEquals(value, wanted)) return true;
  if (repeats === 'whole-list' || !Array.isArray(value)) return false;
  const fits = (one: unknown): boolean => pythonEquals(one, wanted);
  return repeats === 'any-repeat' ? value.some(fits) : value.length > 0 && value.every(fits);
}
