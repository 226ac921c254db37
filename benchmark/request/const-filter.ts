import { isObject, own } from '../text/json.ts';
import { isTruthy, pythonEquals } from '../text/python-equality.ts';

/** Constant key/value filter of an eval schema (`body`, `params`). */
export type ConstFilter = Readonly<Record<string, unknown>>;

/**
 * How a field whose value is a list is compared. `whole-list`: as a JSON list, and as upstream does. `any-repeat`: the
 * list comes from a form field that was sent several times, and one matching value is enough.
 */
type Repeats = 'whole-list' | 'any-repeat';

/**
 * Whether every key of the filter matches in `actual`. An empty or absent filter always matches; a list matches when one element,
 * at any depth of lists, matches all keys; a missing key equals `null`.
 */
export function constFieldsMatch(
  filter: ConstFilter | null | undefined,
  actual: unknown,
  repeats: Repeats = 'whole-list',
): boolean {
  if (!isTruthy(filter)) return true;
  return anyElementHolds(Object.entries(filter as ConstFilter), actual, repeats);
}

/** Lists are walked iteratively: a body of 100,000 brackets must not overflow the stack. */
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
  return repeats === 'any-repeat' && Array.isArray(value) && value.some((one) => pythonEquals(one, wanted));
}
