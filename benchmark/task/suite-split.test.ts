import { expect, it } from 'vitest';
import { splitSuites } from './suite-split.ts';

const split = (...paths: string[]): Record<string, string[]> =>
  Object.fromEntries(
    splitSuites(paths.map((path) => ({ path, bytes: new Uint8Array() }))).map(({ root, files }) => [
      root,
      files.map(({ path }) => path),
    ]),
  );

it('splits a tree of several suites by the folders above the cases', () => {
  expect(
    split('v1/1/task.json', 'v1/1/extra/a.pdf', 'v1/2/task.json', 'v1/schema.md', 'lite/x/task.json', 'README.md'),
  ).toEqual({
    lite: ['lite/x/task.json'],
    v1: ['v1/1/task.json', 'v1/1/extra/a.pdf', 'v1/2/task.json', 'v1/schema.md'],
  });
});

it('treats flat task files as a suite, but not those inside a case', () => {
  expect(split('a/1.json', 'a/2.json', 'b/x/task.json', 'b/x/more.json')).toEqual({
    a: ['a/1.json', 'a/2.json'],
    b: ['b/x/task.json', 'b/x/more.json'],
  });
});

it('returns a single suite or task as it is', () => {
  expect(split('1/task.json', '2/task.json', 'README.md')).toEqual({ '': ['1/task.json', '2/task.json', 'README.md'] });
  expect(split('suite/1/task.json', 'notes.md')).toEqual({ suite: ['suite/1/task.json', 'notes.md'] });
  expect(split('task.json', 'extra/other.json')).toEqual({ '': ['task.json', 'extra/other.json'] });
});

it('returns no suite without a case', () => {
  expect(split('README.md', 'a/b.txt')).toEqual({});
  expect(split()).toEqual({});
});
