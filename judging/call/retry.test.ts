import { expect, it } from 'vitest';
import { failureOfStatus } from '../../benchmark/models/provider-error.ts';
import { failureKind, ProviderError } from './provider-error.ts';
import { retryDelaySeconds, withRetry } from './retry.ts';

const policy = { attempts: 3, baseSeconds: 2, capSeconds: 30, longestAskedSeconds: 120 };

function scripted(outcomes: readonly (number | 'ok')[]): {
  call: () => Promise<string>;
  sleeps: number[];
  calls: () => number;
} {
  let calls = 0;
  const sleeps: number[] = [];
  const call = (): Promise<string> => {
    const outcome = outcomes[calls] ?? 'ok';
    calls += 1;
    if (outcome === 'ok') return Promise.resolve('reply');
    return Promise.reject(
      new ProviderError(failureKind(failureOfStatus(outcome) ?? 'Network', outcome), outcome, `HTTP ${outcome}`),
    );
  };
  return { call, sleeps, calls: () => calls };
}

async function run(
  outcomes: readonly (number | 'ok')[],
): Promise<{ result: unknown; calls: number; sleeps: number[] }> {
  const script = scripted(outcomes);
  const tools = { random: () => 1, sleep: (ms: number) => Promise.resolve(script.sleeps.push(ms)) };
  const result = await withRetry(policy, script.call, tools).catch((error: unknown) => error);
  return { result, calls: script.calls(), sleeps: script.sleeps };
}

it('retries a transient failure, with growing delays', async () => {
  expect(await run([503, 0, 'ok'])).toEqual({ result: 'reply', calls: 3, sleeps: [2000, 4000] });
});

it.each([
  [401, 'Pause', 1],
  [402, 'Pause', 1],
  [400, 'Refused', 1],
  [404, 'Refused', 1],
  [500, 'Retry', 3],
  [429, 'Pause', 3],
])('HTTP %i ends as %s after %i calls', async (status, kind, calls) => {
  const outcome = await run([status, status, status, status]);
  expect(outcome.calls).toBe(calls);
  expect(outcome.result).toMatchObject({ kind, status });
});

it('waits as long as Retry-After says', () => {
  expect(retryDelaySeconds(policy, 1, 70, () => 0)).toBe(70);
  expect(retryDelaySeconds(policy, 9, null, () => 1)).toBe(30);
});

it('does not wait for a Retry-After that is too long', async () => {
  const sleeps: number[] = [];
  const tools = { random: () => 1, sleep: (ms: number) => Promise.resolve(sleeps.push(ms)) };
  const call = (): Promise<never> => Promise.reject(new ProviderError('Retry', 503, 'busy', 3600));
  await expect(withRetry(policy, call, tools)).rejects.toMatchObject({ kind: 'Pause', status: 503 });
  expect(sleeps).toEqual([]);
});
