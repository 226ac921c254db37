import { isObject, own } from '../text/json.ts';
import { isTruthy, pythonEquals } from '../text/python-equality.ts';

/** Constant key/value filter of an eval schema (`body`, `params`). */
export type ConstFilter = Readonly<Record<string, unknown>>;

/**
 * Whether every key of the filter holds in `actual`. An empty or absent filter holds always; a list
 * holds when one element, at any depth of lists, holds all keys; a missing key equals `null`.
 */
export function constFieldsMatch(filter: ConstFilter | null | undefined, actual: unknown): boolean {
  if (!isTruthy(filter)) return true;
  return anyElementHolds(Object.entries(filter as ConstFilter), actual);
}

/** Lists are walked with a stack of our own: a body of 100,000 brackets must not overflow ours. */
function anyElementHolds(wanted: readonly [string, unknown][], actual: unknown): boolean {
  const waiting: unknown[] = [actual];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) for (const element of value) waiting.push(element);
    else if (isObject(value) && isTruthy(value) && wanted.every(([key, expected]) => holds(value, key, expected)))
      return true;
  }
  return false;
}

function holds(object: Record<string, unknown>, key: string, expected: unknown): boolean {
  return pythonEquals(own(object, key) ?? null, expected ?? null);
}
