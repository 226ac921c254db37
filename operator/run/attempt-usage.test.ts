import { describe, expect, it } from 'vitest';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { batchSpec } from '../../crds/batch.ts';
import { runSpec } from '../../crds/run.ts';
import { batchRun, leastBatch } from '../../crds/samples.fixture.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { aPod, aReport, at, terminatedState, runningState, T0, type PodBuilder } from '../pod/pod.fixture.ts';
import { RUN_INPUT } from './decide.fixture.ts';
import { decideRun, type RunInput } from './decide.ts';
import { podModels } from './gateway-config.ts';

const spent = (costUSD: number | null, tokens: number, apiCalls: number): OutcomeMessage['usage'] => ({
  costUSD,
  tokens,
  apiCalls,
});

/** Reconciles one after the other, each from the status that the one before wrote. */
function reconciled(...inputs: Partial<RunInput>[]): ClawBenchRunStatus {
  let status = decideRun({ ...RUN_INPUT, usesModel: true }).status;
  for (const input of inputs) {
    const { status: next } = decideRun({ ...RUN_INPUT, usesModel: true, status, now: T0 + 60_000, ...input });
    status = JSON.parse(JSON.stringify(next)) as ClawBenchRunStatus;
  }
  return status;
}
const pod = (attempt = 1): PodBuilder => aPod().named(`r-a${String(attempt)}`, attempt);
const works = (attempt = 1): Partial<RunInput> => ({ pods: [pod(attempt).working().build()] });
const reported = (report: Partial<OutcomeMessage>, attempt = 1): Partial<RunInput> => {
  const message = JSON.stringify(aReport({ attempt, ...report }));
  const one = pod(attempt)
    .on('node-1')
    .container('recorder', terminatedState(45))
    .container('harness', terminatedState(43, { message }));
  return { pods: [one.phase('Succeeded').build()] };
};
const later = { now: T0 + 3_600_000 };
const lost: Partial<OutcomeMessage> = { outcome: 'Infrastructure', reason: 'RecorderRestarted', evidence: 'Partial' };
const LIVE_USAGE = spent(0.25, 500, 5);

describe('the usage of an attempt that died without reporting it', () => {
  const deaths: [string, Partial<RunInput>][] = [
    ['pod deleted', { pods: [] }],
    ['cancelled, and its pod gone', { pods: [], cancel: true }],
    ['node gone', { pods: [pod().working().phase('Failed', 'NodeLost').build()] }],
    ['out of memory', { pods: [pod().working().phase('Failed', 'OOMKilled').build()] }],
    ['recorder lost: its report has no final usage', reported(lost)],
  ];
  it.each(deaths)('%s: what was last reported counts, as a lower bound', (_, death) => {
    const bound = { ...LIVE_USAGE, unreportedAttempts: 1 };
    expect(reconciled(works(), { ...death, liveUsage: LIVE_USAGE })).toMatchObject({
      usage: bound,
      attempts: [{ usage: bound }],
    });
  });
  it.each(deaths)('%s, and nothing was reported: still not known to be zero', (_, death) => {
    expect(reconciled(works(), death).usage).toEqual({ costUSD: null, tokens: 0, apiCalls: 0, unreportedAttempts: 1 });
  });
  it.each(deaths)('%s, of a harness that calls no model: nothing', (_, death) => {
    expect(reconciled(works(), { ...death, usesModel: false }).usage?.unreportedAttempts).toBeUndefined();
  });

  it('is nothing if its recorder never ran, according to its pod', () => {
    expect(reconciled({ pods: [pod().on('node-1').phase('Failed', 'Evicted').build()] }).usage).toBeUndefined();
    const unscheduled = { pods: [pod().condition('PodScheduled', 'False').build()], ...later };
    expect(reconciled(unscheduled)).toMatchObject({ attempts: [{ outcome: 'Infrastructure' }] });
    expect(reconciled(unscheduled).usage).toBeUndefined();
    expect(reconciled({ pods: [] }).usage?.unreportedAttempts, 'its pod is gone').toBe(1);
  });

  it('reduces the cap of the next attempt', () => {
    const run = runSpec.parse({ ...batchRun(), harness: { name: 'hermes', image: 'x' }, model: 'm1' });
    const budget = { perRunCostUSD: 1, perRunTokens: 600, perRunCalls: 7 };
    const batch = batchSpec.parse({ ...leastBatch(), models: { secretRef: { name: 'm' }, names: ['m1'] }, budget });
    const status = reconciled(works(), { pods: [], liveUsage: LIVE_USAGE });
    expect(status.nextAttemptTime).toBeDefined();
    expect(podModels({ spec: run, status }, { spec: batch })?.config.caps).toEqual({
      costUSD: 0.75,
      tokens: 100,
      calls: 2,
    });
  });

  it('is replaced by the final usage, when the next attempt finds the claim', () => {
    const usage = { costUSD: 0.4, tokens: 700, apiCalls: 7 };
    const first = reconciled(works(), { pods: [], liveUsage: LIVE_USAGE });
    const prefix = first.attempts?.[0]?.prefix ?? '';
    const again = decideRun({ ...RUN_INPUT, usesModel: true, status: first, ...later }).status;
    const found = { ...reported({ usage, claimedByAttempt: 1, prefix }, 2), status: again, now: later.now + 60_000 };
    const { status } = decideRun({ ...RUN_INPUT, usesModel: true, ...found });
    expect(status.usage).toEqual(usage);
    expect(status.attempts?.map((one) => one.usage)).toEqual([usage, undefined]);
  });
});

describe('final usage', () => {
  it('without a price stays without one, however much is added to it', () => {
    const finalUsage = (attempt: number): Partial<RunInput> =>
      reported({ ...lost, usage: spent(null, 500, 5), prefix: `${String(attempt)}/` }, attempt);
    const now = (attempt: number): number => T0 + attempt * 3_600_000;
    const steps = [1, 2, 3].flatMap((attempt): Partial<RunInput>[] => [
      ...(attempt === 1 ? [] : [{ now: now(attempt) }]),
      { now: now(attempt) + 10_000, pods: [pod(attempt).working().build()], publishedUsage: spent(null, 100, 1) },
      { now: now(attempt) + 20_000, ...finalUsage(attempt) },
    ]);
    for (let end = 1; end <= steps.length; end += 1) {
      const { usage, columns } = reconciled(...steps.slice(0, end));
      expect([end, usage?.costUSD, columns?.cost]).toEqual([end, null, '-']);
    }
    expect(reconciled(...steps).usage).toMatchObject({ apiCalls: 15, unpricedCalls: 15, unreportedAttempts: 3 });
  });
  it('replaces live usage, and is exact', () => {
    const usage = { costUSD: 0.3, tokens: 600, apiCalls: 6 };
    expect(reconciled(works(), { ...reported({ usage }), liveUsage: LIVE_USAGE }).usage).toEqual(usage);
  });
  it('that was written in haste and is less than what was reported does not count', () => {
    const usage = spent(0.1, 100, 1);
    const bound = { ...LIVE_USAGE, unreportedAttempts: 1 };
    expect(
      reconciled(works(), { ...reported({ ...lost, reason: 'BrowserExited', usage }), liveUsage: LIVE_USAGE }).usage,
    ).toEqual(bound);
  });
  it('of a complete bundle is final, whatever was reported before', () => {
    const usage = spent(0.1, 100, 1);
    expect(reconciled(works(), { ...reported({ usage }), liveUsage: LIVE_USAGE }).usage).toEqual(usage);
  });
  it('is added to the usage of earlier attempts', () => {
    const first = reconciled(works(), { pods: [], liveUsage: LIVE_USAGE });
    const begun = decideRun({ ...RUN_INPUT, usesModel: true, status: first, ...later }).status;
    const one = pod(2).on('node-1').container('recorder', runningState(3600), { started: true }).build();
    const over = reported({ usage: { costUSD: 0.1, tokens: 20, apiCalls: 2 }, prefix: 'other/' }, 2);
    const seen = decideRun({ ...RUN_INPUT, status: begun, pods: [one], now: later.now + 10_000 }).status;
    const { status } = decideRun({ ...RUN_INPUT, usesModel: true, status: seen, ...over, now: later.now + 60_000 });
    expect(status.usage).toEqual({ costUSD: 0.35, tokens: 520, apiCalls: 7, unreportedAttempts: 1 });
    expect(status.attempts?.[1]?.times?.ended).toBe(at(3660).replace('Z', '.000Z'));
  });
});
