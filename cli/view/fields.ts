import { isObject, own } from '../../benchmark/text/json.ts';

/** Reading from JSON that anybody may have written: a field of another type than expected is not there. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value at a path of own properties. */
export function valueAt(root: unknown, ...path: readonly string[]): unknown {
  let value = root;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return value;
}

/** A string, or empty. */
export function textAt(root: unknown, ...path: readonly string[]): string {
  const value = valueAt(root, ...path);
  return typeof value === 'string' ? value : '';
}

/** A string as a label: long ones are cut, since a name of 10 kB would be the whole page. */
export function labelAt(root: unknown, ...path: readonly string[]): string {
  return shorten(textAt(root, ...path), 120);
}

/** At most `cap` characters, the last one an ellipsis when something is left out. */
export function shorten(text: string, cap: number): string {
  return text.length > cap ? `${text.slice(0, cap - 1)}…` : text;
}

/** A finite number, or null. */
export function numberAt(root: unknown, ...path: readonly string[]): number | null {
  const value = valueAt(root, ...path);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** An object, or null. */
export function objectAt(root: unknown, ...path: readonly string[]): JsonRecord | null {
  const value = valueAt(root, ...path);
  return isObject(value) ? value : null;
}

/** Milliseconds since the epoch that a date can hold, or null. */
export function momentAt(root: unknown, ...path: readonly string[]): number | null {
  const value = numberAt(root, ...path);
  return value !== null && value > 0 && value <= 8.64e15 ? value : null;
}
