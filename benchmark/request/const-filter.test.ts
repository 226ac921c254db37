import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constFieldsMatch } from './const-filter.ts';
import type { JsonValue } from '../text/json.ts';

describe('a const filter', () => {
  it.each([
    ['is absent', undefined, { a: 1 }, true],
    ['is empty', {}, null, true],
    ['holds among other keys', { a: 1 }, { a: 1, b: 2 }, true],
    ['compares numbers by value', { a: 1 }, { a: 1.0 }, true],
    ['takes true for 1, as Python does', { a: 1 }, { a: true }, true],
    ['never coerces text', { a: 1 }, { a: '1' }, false],
    ['takes a missing key for null', { a: null }, { b: 1 }, true],
    ['does not hold for an empty body, not even null', { a: null }, {}, false],
    ['compares nested objects whole', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, false],
    ['heeds the order of lists', { a: [1, 2] }, { a: [2, 1] }, false],
    ['needs all keys in one element', { a: 1, b: 2 }, [{ a: 1 }, { b: 2 }], false],
    ['looks into lists of lists', { a: 1 }, [[[{ a: 1 }]]], true],
    ['compares exact big integers', { id: 9007199254740993n }, { id: 9007199254740993n }, true],
    ['tells big integers apart', { id: 9007199254740993n }, { id: 9007199254740992n }, false],
    ['sees own keys only', { constructor: null }, { a: 1 }, true],
  ])('%s', (_name, filter, actual, holds) => {
    expect(constFieldsMatch(filter as never, actual)).toBe(holds);
  });

  it('survives a body of nothing but brackets', () => {
    let deep: JsonValue = { a: 1 };
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(constFieldsMatch({ a: 1 }, deep)).toBe(true);
    expect(constFieldsMatch({ a: 2 }, deep)).toBe(false);
  });

  it('holds for every object that contains it, alone or in a batch', () => {
    const object = fc.dictionary(
      fc.string(),
      fc.jsonValue().filter((one) => one !== null),
    );
    fc.assert(
      fc.property(object, object, (filter, more) => {
        fc.pre(Object.keys(filter).length > 0);
        const actual = Object.assign(Object.create(null) as object, more, filter);
        const plain = Object.fromEntries(Object.entries(actual));
        return constFieldsMatch(filter, plain) && constFieldsMatch(filter, [{ other: 1 }, plain]);
      }),
    );
  });
});
