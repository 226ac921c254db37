import { isObject, own } from './json.ts';

/**
 * Equality as Python's `==` sees it on parsed JSON: deep and whole-value, list order counts,
 * `1 == 1.0`, `1 == true`, `0 == false`, no coercion between strings and numbers. Tasks were written for it, so a
 * stricter rule would let a terminal request through that upstream blocks.
 */
export function pythonEquals(left: unknown, right: unknown): boolean {
  const a = asNumber(left);
  const b = asNumber(right);
  // `==` between bigint and number compares exact values, which is what Python does.
  if (a !== undefined && b !== undefined) return a == b;
  if (Array.isArray(left) && Array.isArray(right)) return listsEqual(left, right);
  if (isObject(left) && isObject(right)) return objectsEqual(left, right);
  return left === right;
}

function asNumber(value: unknown): number | bigint | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

function listsEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => pythonEquals(item, right[index]));
}

function objectsEqual(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && pythonEquals(left[key], own(right, key)));
}

/** Python's truth value: null, false, 0, empty strings, lists and objects are false. */
export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return Boolean(value) || Number.isNaN(value);
}
