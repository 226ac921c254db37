import { expect, it } from 'vitest';
import { buildKey } from './binaries.ts';

it('the build key changes with each source and the compiler, and text can not move from one to the next', () => {
  const keys = [
    buildKey(['mod', 'sum', 'main'], 'go1.26.8'),
    buildKey(['mod', 'sum', 'main2'], 'go1.26.8'),
    buildKey(['mod', 'sum', 'main'], 'go1.26.9'),
    buildKey(['mods', 'um', 'main'], 'go1.26.8'),
  ];
  expect(new Set(keys).size).toBe(4);
  expect(buildKey(['mod', 'sum', 'main'], 'go1.26.8')).toBe(keys[0]);
});
