import { expect, it } from 'vitest';
import { retryDelayMs } from './retry-delays.ts';

it.each([
  [0, 10_000],
  [1, 10_000],
  [2, 20_000],
  [3, 40_000],
  [10, 300_000],
  [20, 300_000],
])('the next try after %i failures waits %i ms', (failures, expected) => {
  expect(retryDelayMs(failures)).toBe(expected);
});

it('a caller may wait longer between tries that cost more', () => {
  expect(retryDelayMs(20, 600_000)).toBe(600_000);
});
