import { isObject, own } from '../../benchmark/text/json.ts';

/** Accessors for untrusted JSON: a field of an unexpected type counts as missing. */
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

/** A string as a label of limited length, since a name of 10 kB would fill the page. */
export function labelAt(root: unknown, ...path: readonly string[]): string {
  return shorten(textAt(root, ...path), 120);
}

/** At most `cap` characters; the last one is an ellipsis if the text is cut. */
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
