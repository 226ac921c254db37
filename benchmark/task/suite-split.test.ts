import { expect, it } from 'vitest';
import { splitSuites } from './suite-split.ts';

const split = (...paths: string[]): Record<string, string[]> =>
  Object.fromEntries(
    splitSuites(paths.map((path) => ({ path, bytes: new Uint8Array() }))).map(({ root, files }) => [
      root,
      files.map(({ path }) => path),
    ]),
  );

it('a tree of several suites is split by the folders above cases', () => {
  expect(
    split('v1/1/task.json', 'v1/1/extra/a.pdf', 'v1/2/task.json', 'v1/schema.md', 'lite/x/task.json', 'README.md'),
  ).toEqual({
    lite: ['lite/x/task.json'],
    v1: ['v1/1/task.json', 'v1/1/extra/a.pdf', 'v1/2/task.json', 'v1/schema.md'],
  });
});

it('flat task files make a suite too, those inside a case do not', () => {
  expect(split('a/1.json', 'a/2.json', 'b/x/task.json', 'b/x/more.json')).toEqual({
    a: ['a/1.json', 'a/2.json'],
    b: ['b/x/task.json', 'b/x/more.json'],
  });
});

it('one suite, or one task, is all there is', () => {
  expect(split('1/task.json', '2/task.json', 'README.md')).toEqual({ '': ['1/task.json', '2/task.json', 'README.md'] });
  expect(split('suite/1/task.json', 'notes.md')).toEqual({ suite: ['suite/1/task.json', 'notes.md'] });
  expect(split('task.json', 'extra/other.json')).toEqual({ '': ['task.json', 'extra/other.json'] });
});

it('without a case there is none', () => {
  expect(split('README.md', 'a/b.txt')).toEqual({});
  expect(split()).toEqual({});
});
