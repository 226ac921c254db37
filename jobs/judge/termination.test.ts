import { expect, it } from 'vitest';
import { createRedactor } from '../../benchmark/bundle/redact.ts';
import { ProviderError } from '../../judging/call/provider-error.ts';
import { judgeRuns, type JudgeRunsResult } from '../../judging/run/judge-runs.ts';
import { judgeResult, withSpend } from './termination.ts';

const redact = createRedactor(['sk-very-secret']);
const worked = (errors: readonly (Error | null)[]): Promise<JudgeRunsResult<'judged' | 'promoted'>> =>
  judgeRuns(errors, 1, (error) => (error === null ? Promise.resolve('judged' as const) : Promise.reject(error)));
const messageOf = async (errors: readonly (Error | null)[]): Promise<string> => {
  const { reason, message } = judgeResult(await worked(errors), { summarised: 3 }, redact);
  return `${reason}: ${message}`;
};

it('reports the counts of the list, and the last error when a run is open', async () => {
  expect(await messageOf([null, null])).toBe('Judged: 2 judged, 0 without a verdict.');
  const busy = new ProviderError('Retry', 500, 'judge model j answered HTTP 500');
  expect(await messageOf([null, busy])).toBe(
    'JudgeCallsFailed: 1 judged, 1 without a verdict; last error: judge model j answered HTTP 500.',
  );
  expect(await messageOf([new Error('one'), new Error('two'), null])).toMatch(/last error: two\.$/);
});

it('reports the provider’s failure when judging is paused', async () => {
  expect(await messageOf([new ProviderError('Pause', 402, 'judge model j answered HTTP 402'), null])).toBe(
    'JudgePaused: 0 judged, 2 without a verdict; last error: judge model j answered HTTP 402.',
  );
});

it('contains no secret and is one short line', async () => {
  const long = await messageOf([new Error(`key sk-very-secret\nwas refused ${'x'.repeat(5000)}`)]);
  expect(long).not.toContain('sk-very-secret');
  expect(long).toContain('key [REDACTED] was refused');
  expect(long.length).toBeLessThan(400);
});

it('reports the spend although the summary could not be written', async () => {
  const usage = { costUSD: 0.5, tokens: 10, apiCalls: 1, unpricedCalls: 0 };
  const said = await withSpend(
    () => Promise.reject(new Error('no bucket for sk-very-secret')),
    () => usage,
    redact,
  );
  expect(said).toMatchObject({ ok: false, reason: 'JudgeFailed', message: 'no bucket for [REDACTED].', usage });
});
