import { expect, it } from 'vitest';
import { countOf, isOrAre } from './count-of.ts';

it('uses the singular for one only', () => {
  expect([0, 1, 2, 11].map((count) => countOf(count, 'run'))).toEqual(['0 runs', '1 run', '2 runs', '11 runs']);
  expect([0, 1, 2].map(isOrAre)).toEqual(['are', 'is', 'are']);
});
