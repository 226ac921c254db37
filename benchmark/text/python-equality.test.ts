import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTruthy, pythonEquals } from './python-equality.ts';

describe('pythonEquals', () => {
  it.each([
    [1, true, true],
    [0, false, true],
    [1, 1n, true],
    [9007199254740993n, 9007199254740992, false],
    [9007199254740993n, 9007199254740993n, true],
    [2, true, false],
    ['1', 1, false],
    [1, '1', false],
    ['', 0, false],
    ['', false, false],
    [null, 0, false],
    [null, null, true],
    ['a', 'a', true],
    [[], [], true],
    [[1, true], [true, 1], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[], {}, false],
    [{}, [], false],
    [[], '', false],
    [[1], 1, false],
    [{}, {}, true],
    [{ a: 1, b: [2] }, { b: [2], a: true }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [{ a: 1 }, null, false],
    [null, { a: 1 }, false],
    [{ a: null }, { b: null }, false],
    [NaN, NaN, false],
  ])('%o == %o: %s', (left, right, equal) => {
    expect(pythonEquals(left, right)).toBe(equal);
    expect(pythonEquals(right, left)).toBe(equal);
  });
  it('a key of an object’s prototype is not a key of the object', () => {
    const hostile = JSON.parse('{"__proto__": 1}') as unknown;
    expect(pythonEquals(hostile, {})).toBe(false);
    expect(pythonEquals({ toString: 1 }, { valueOf: 1 })).toBe(false);
    expect(pythonEquals(hostile, JSON.parse('{"__proto__": 1}'))).toBe(true);
  });
  it('holds for any value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => pythonEquals(value, JSON.parse(JSON.stringify(value)) as unknown)),
    );
  });
});

it.each([
  [null, false],
  [undefined, false],
  [false, false],
  [0, false],
  [0n, false],
  ['', false],
  [[], false],
  [{}, false],
  [true, true],
  [1, true],
  [-1, true],
  [NaN, true],
  ['0', true],
  [[0], true],
  [{ a: 0 }, true],
])('truth of %o: %s', (value, truth) => {
  expect(isTruthy(value)).toBe(truth);
});
