/**
 * JSON merge patch (RFC 7386) from one status to the next; null when nothing has changed. The status is written as a
 * patch of what changed and not by server-side apply: applying a subset would delete the manager's other fields
 * (tried), and the judge's two fields must stay untouched. Lists are replaced as a whole. A merge patch cannot write
 * null, so a null field counts as absent.
 */
export function statusPatch(before: object | undefined, after: object): Record<string, unknown> | null {
  const patch: Record<string, unknown> = {};
  const old = (before ?? {}) as Record<string, unknown>;
  const next = after as Record<string, unknown>;
  for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const change = difference(old[key], next[key]);
    if (change !== UNCHANGED) patch[key] = change;
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

const UNCHANGED = Symbol('unchanged');

function difference(old: unknown, next: unknown): unknown {
  if (next === undefined || next === null) return old === undefined || old === null ? UNCHANGED : null;
  if (isObject(old) && isObject(next)) return statusPatch(old, next) ?? UNCHANGED;
  return equal(old, next) ? UNCHANGED : next;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares plain JSON. The order of keys does not matter: the API server may return them in another order. */
function equal(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equal(item, right[index]));
  }
  return isObject(left) && isObject(right) && statusPatch(left, right) === null;
}
