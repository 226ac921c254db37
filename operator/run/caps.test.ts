import { describe, expect, it } from 'vitest';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { aPod, aReport, terminatedState, T0 } from '../pod/pod.fixture.ts';
import { capsInFull, capsLeft, exhaustedCap } from './caps.ts';
import { BATCH_FACTS, RUN_INPUT } from './decide.fixture.ts';
import { decideRun, type RunInput } from './decide.ts';

const budget = { onExceeded: 'Pause', perRunCostUSD: 1, perRunTokens: 100 } as const;
const WHOLE = { costUSD: 1, tokens: 100, calls: null };

describe('what earlier attempts leave of the caps', () => {
  it.each([
    { what: 'nothing spent', spent: {}, left: WHOLE, inFull: null, gone: null },
    {
      what: 'a part',
      spent: { costUSD: 0.25, tokens: 40, apiCalls: 9 },
      left: { costUSD: 0.75, tokens: 60, calls: null },
      inFull: WHOLE,
      gone: null,
    },
    {
      what: 'one cap',
      spent: { costUSD: 0.25, tokens: 130 },
      left: { costUSD: 0.75, tokens: 0, calls: null },
      inFull: WHOLE,
      gone: 'tokens',
    },
    { what: 'the cost', spent: { costUSD: 1 }, left: { ...WHOLE, costUSD: 0 }, inFull: WHOLE, gone: 'cost' },
    {
      what: 'no price',
      spent: { costUSD: null, tokens: 40 },
      left: { ...WHOLE, tokens: 60 },
      inFull: WHOLE,
      gone: null,
    },
  ])('$what', ({ spent, left, inFull, gone }) => {
    expect(capsLeft(budget, spent)).toEqual(left);
    expect(capsInFull(budget, spent)).toEqual(inFull);
    expect(exhaustedCap(budget, spent)).toBe(gone);
  });

  it.each([
    [0.1234564, 0.123456, 0.123457],
    [4e-7, 0, 0.000001],
    [1.1, 1.099999, 1.1],
    [0.07, 0.069999, 0.07],
  ])('a cap of %d is reached after %d, with %d, whole or in part', (perRunCostUSD, before, at) => {
    const fine = { onExceeded: 'Pause', perRunCostUSD } as const;
    const whole = { tokens: null, costUSD: at, calls: null };
    expect([capsLeft(fine), capsInFull(fine), exhaustedCap(fine)]).toEqual([whole, null, null]);
    expect(exhaustedCap(fine, { costUSD: before })).toBeNull();
    expect([exhaustedCap(fine, { costUSD: at }), capsInFull(fine, { costUSD: at })]).toEqual(['cost', whole]);
  });

  it('is not exhausted by them if the cap itself is 0, or there is none', () => {
    const none = { onExceeded: 'Pause', perRunCalls: 0 } as const;
    expect([capsInFull(none, { apiCalls: 0 }), exhaustedCap(none, { apiCalls: 0 })]).toEqual([null, null]);
    expect([capsInFull(undefined, { apiCalls: 9 }), exhaustedCap(undefined, { apiCalls: 9 })]).toEqual([null, null]);
  });
});

const base: RunInput = { ...RUN_INPUT, usesModel: true, facts: { ...BATCH_FACTS, budget } };
const reported = (report: Partial<OutcomeMessage>): RunInput['pods'] => {
  const harness = terminatedState(43, { message: JSON.stringify(aReport(report)) });
  const pod = aPod()
    .named('r-a1', 1)
    .on('node-1')
    .container('recorder', terminatedState(45))
    .container('harness', harness);
  return [pod.phase('Succeeded').build()];
};
function endOf(change: Partial<RunInput>): ClawBenchRunStatus {
  const { status } = decideRun(base);
  return decideRun({ ...base, status, now: T0 + 60_000, ...change }).status;
}
const died = { outcome: 'Infrastructure', reason: 'BrowserExited', message: 'It died.', evidence: 'Partial' } as const;

describe('a run whose caps were used up by infrastructure failures', () => {
  const all = { costUSD: 0.4, tokens: 100, apiCalls: 3 };
  it.each<[string, Partial<RunInput>, string]>([
    ['according to its report', { pods: reported({ ...died, usage: all }) }, 'BrowserExited'],
    ['according to its live usage', { pods: [], liveUsage: all }, 'PodDeleted'],
  ])('starts no further attempt and is not the agent’s failure: %s', (_, change, reason) => {
    const status = endOf(change);
    expect(status).toMatchObject({ phase: 'Complete', outcome: 'Infrastructure', reason, infrastructureFailures: 1 });
    expect(status.message).toMatch(/No retry: the run has used up its cap on tokens\.$/);
    expect(decideRun({ ...base, status, now: T0 + 7_200_000 }).actions).toEqual([]);
  });

  it.each([
    { limit: 0, before: 0, why: 'It died.' },
    { limit: 1, before: 0, why: 'It died. No retry: the run has used up its cap on tokens.' },
    { limit: 1, before: 1, why: 'It died. No retry after 2 infrastructure failures.' },
    { limit: 2, before: 1, why: 'It died. No retry: the run has used up its cap on tokens.' },
  ])('says so only if that ended it: limit $limit, failures before $before', ({ limit, before, why }) => {
    const status = { ...decideRun(base).status, infrastructureFailures: before };
    const facts = { ...base.facts, infrastructureLimit: limit };
    expect(endOf({ status, facts, pods: reported({ ...died, usage: all }) })).toMatchObject({
      phase: 'Complete',
      infrastructureFailures: before + 1,
      message: why,
    });
  });

  it('continues while something is left', () => {
    const status = endOf({ pods: reported({ ...died, usage: { ...all, tokens: 99 } }) });
    expect(status).toMatchObject({ phase: 'Queued', infrastructureFailures: 1 });
  });

  it('ends for good with an attempt that was denied what others had used', () => {
    const cut = { ...died, reason: 'BudgetExceeded', evidence: 'Complete' } as const;
    expect(endOf({ pods: reported({ ...cut, usage: { ...all, tokens: 60 } }) })).toMatchObject({
      phase: 'Complete',
      outcome: 'Infrastructure',
      reason: 'BudgetExceeded',
      message: 'It died.',
    });
  });

  it('fails because of its agent when that agent reached the cap itself', () => {
    const status = endOf({ pods: reported({ outcome: 'Failed', reason: 'BudgetExceeded', usage: all }) });
    expect(status).toMatchObject({ phase: 'Complete', outcome: 'Failed', reason: 'BudgetExceeded' });
  });
});
