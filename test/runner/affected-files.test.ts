import { expect, it } from 'vitest';
import { changedArguments, countListed } from './affected-files.ts';

it('counts the files that vitest lists, after a line of another kind or none', () => {
  const list = JSON.stringify([{ file: '/repo/a.test.ts' }, { file: '/repo/b.test.ts' }], null, 2);
  expect(countListed(list)).toBe(2);
  expect(countListed(`notice: something\n${list}\n`)).toBe(2);
  expect(countListed('[]\n')).toBe(0);
  expect(countListed('\n')).toBe(0);
});

it('takes what is not committed, or what a commit does not have', () => {
  expect(changedArguments(null)).toEqual(['--changed']);
  expect(changedArguments('main')).toEqual(['--changed', 'main']);
});
