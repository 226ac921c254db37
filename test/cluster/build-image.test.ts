import { expect, it } from 'vitest';
import { buildArguments } from './build-image.ts';

it('a build never pulls, keeps its layers, and passes its arguments before the context', () => {
  const args = buildArguments({ dir: '/ctx', tag: 'localhost/a:1', buildArgs: { BASE: 'x=y', V: '2' } });
  expect(args).toEqual(expect.arrayContaining(['--pull-never', '--layers', 'BASE=x=y', 'V=2', '/ctx/Dockerfile']));
  expect(args.at(-1)).toBe('/ctx');
});

it('a Dockerfile may lie outside its context', () => {
  const args = buildArguments({ dir: '/ctx', tag: 'localhost/a:1', file: '/else/Dockerfile' });
  expect(args[args.indexOf('-f') + 1]).toBe('/else/Dockerfile');
});
