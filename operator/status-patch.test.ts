import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusPatch } from './status-patch.ts';

/** RFC 7386, section 2. */
function applyPatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyPatch(result[key], value);
  }
  return result;
}

/** Null cannot be written by a merge patch and means absent. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.string(),
    fc.boolean(),
    fc.array(fc.integer(), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 4 }),
}));

describe('status patch', () => {
  it('leads from any status to any other', () => {
    fc.assert(
      fc.property(json.object, json.object, (before, after) => {
        const patch = statusPatch(before, after);
        expect(patch === null ? before : applyPatch(before, patch)).toEqual(after);
      }),
    );
  });

  it('is null when nothing changed, whatever the order of keys', () => {
    expect(statusPatch({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 })).toBeNull();
    expect(statusPatch(undefined, {})).toBeNull();
  });

  it('a null is an absent field: it cannot be written, and must not be tried for ever', () => {
    expect(statusPatch({ usage: { tokens: 1 } }, { usage: { tokens: 1, costUSD: null } })).toBeNull();
    expect(statusPatch({ usage: { costUSD: 1 } }, { usage: { costUSD: null } })).toEqual({ usage: { costUSD: null } });
  });

  it('names only what changed', () => {
    expect(
      statusPatch({ a: 1, keep: { x: 1, y: 2 }, gone: 3 }, { a: 2, keep: { x: 1, y: 3 }, gone: undefined }),
    ).toEqual({
      a: 2,
      keep: { y: 3 },
      gone: null,
    });
  });
});
