import { expect, it } from 'vitest';
import { createMemo } from './memo.ts';

it('computes a value once, and every time when its key is too long', () => {
  const memo = createMemo<string>({ keys: 2, keyLength: 3 });
  const computed: string[] = [];
  const ask = (key: string): string =>
    memo(key, () => {
      computed.push(key);
      return key.toUpperCase();
    });
  expect(['a', 'a', 'long', 'long', 'b', 'a', 'b'].map(ask).join(' ')).toBe('A A LONG LONG B A B');
  expect(computed).toEqual(['a', 'long', 'long', 'b']);
});

it('never holds more keys than its limit', () => {
  const memo = createMemo<number>({ keys: 3, keyLength: 10 });
  let computed = 0;
  const ask = (key: string): number => memo(key, () => (computed += 1));
  ['a', 'b', 'c', 'd'].forEach(ask);
  expect(computed).toBe(4);
  ask('d');
  expect(computed).toBe(4);
  ask('a');
  expect(computed).toBe(5);
});
