import { describe, expect, it } from 'vitest';
import { countsAsRetry, retryDelayMs } from './retry-policy.ts';

describe('retries after infrastructure failures', () => {
  it.each([
    [0, 10_000],
    [1, 10_000],
    [2, 20_000],
    [3, 40_000],
    [20, 300_000],
  ])('after %i failures', (failures, expected) => {
    expect(retryDelayMs(failures)).toBe(expected);
  });

  it('a disruption is free, until there were too many', () => {
    expect(countsAsRetry('Evicted', 1)).toBe(false);
    expect(countsAsRetry('NodeLost', 20)).toBe(false);
    expect(countsAsRetry('Evicted', 21)).toBe(true);
    expect(countsAsRetry('ImagePullFailed', 1)).toBe(true);
  });
});
