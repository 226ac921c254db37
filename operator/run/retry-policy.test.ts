import { describe, expect, it } from 'vitest';
import { countsAsRetry } from './retry-policy.ts';

describe('retries after infrastructure failures', () => {
  it('a disruption is free, until there were too many', () => {
    expect(countsAsRetry('Evicted', 1)).toBe(false);
    expect(countsAsRetry('NodeLost', 20)).toBe(false);
    expect(countsAsRetry('Evicted', 21)).toBe(true);
    expect(countsAsRetry('ImagePullFailed', 1)).toBe(true);
  });
});
