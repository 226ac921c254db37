import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

const backoff = { baseMs: 10, capMs: 1_000 };
it('doubles up to the cap, without overflow', () => {
  expect([1, 2, 3, 8, 5_000].map((failures) => backoffMs(backoff, failures, () => 1))).toEqual([
    10, 20, 40, 1_000, 1_000,
  ]);
});
it('spreads over the upper half', () => {
  expect([0, 0.5, 1].map((random) => backoffMs(backoff, 3, () => random))).toEqual([20, 30, 40]);
});
