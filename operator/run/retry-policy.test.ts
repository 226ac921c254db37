import { describe, expect, it } from 'vitest';
import { countsAsRetry, mayRetry } from './retry-policy.ts';

describe('retries after infrastructure failures', () => {
  it('a disruption is free, until there were too many', () => {
    expect(countsAsRetry('Evicted', 1)).toBe(false);
    expect(countsAsRetry('NodeLost', 20)).toBe(false);
    expect(countsAsRetry('Evicted', 21)).toBe(true);
    expect(countsAsRetry('ImagePullFailed', 1)).toBe(true);
  });

  it.each([
    ['an infrastructure failure within the limit', { infrastructureFailures: 2 }, 'BrowserRestarted', true],
    ['one failure too many', { infrastructureFailures: 3 }, 'BrowserRestarted', false],
    ['a reason that another attempt would meet again', { infrastructureFailures: 1 }, 'TaskMismatch', false],
    ['a cap that is used up', { infrastructureFailures: 1, usage: { tokens: 10 } }, 'BrowserRestarted', false],
  ] as const)('%s', (_name, status, reason, expected) => {
    const facts = { infrastructureLimit: 2, budget: { onExceeded: 'Pause' as const, perRunTokens: 10 } };
    expect(mayRetry(status, { outcome: 'Infrastructure', reason }, facts)).toBe(expected);
  });

  it("an agent's result is never retried", () => {
    const facts = { infrastructureLimit: 2, budget: undefined };
    expect(mayRetry({}, { outcome: 'Failed', reason: 'AgentExited' }, facts)).toBe(false);
  });
});
