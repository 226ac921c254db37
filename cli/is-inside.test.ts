import { expect, it } from 'vitest';
import { isInside } from './is-inside.ts';

it.each([
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a', '/ab', false],
  ['/a/b', '/a', false],
  ['/', '/a', true],
])('in %s, the path %s is inside: %s', (folder, path, expected) => {
  expect(isInside(folder, path)).toBe(expected);
});
