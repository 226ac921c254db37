import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../benchmark/outcome/outcome.ts';
import { API_VERSION, RUN_KIND } from '../../crds/group.ts';
import { runSpec } from '../../crds/run.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { aTask } from './batch.fixture.ts';
import { countRuns, scoredRuns, batchUsage } from './run-counts.ts';

const aRun = (status: ClawBenchRunStatus, name = 'r'): Run => ({
  apiVersion: API_VERSION,
  kind: RUN_KIND,
  metadata: { name },
  spec: runSpec.parse({
    batchRef: { name: 'b', uid: 'u' },
    task: { ref: { case: '001-a', sha256: 'a'.repeat(64) } },
    model: 'm1',
    harness: { name: 'null' },
  }),
  status,
});

describe('counts', () => {
  it.each<[ClawBenchRunStatus, object]>([
    [{}, { queued: 1, total: 1 }],
    [{ phase: 'Starting' }, { pending: 1 }],
    [{ phase: 'Finalising' }, { running: 1 }],
    [
      { phase: 'Judging', outcome: 'JudgePending' },
      { judging: 1, unjudged: 0, finished: 0 },
    ],
    [
      { phase: 'Complete', outcome: 'JudgePending' },
      { finished: 1, unjudged: 1 },
    ],
    [
      { phase: 'Complete', outcome: 'Passed' },
      { finished: 1, passed: 1 },
    ],
    [
      { phase: 'Complete', outcome: 'TimedOut' },
      { finished: 1, failed: 1 },
    ],
    [
      { phase: 'Complete', outcome: 'EvidenceIncomplete' },
      { finished: 1, failed: 0, infrastructure: 1 },
    ],
    [
      { phase: 'Complete', outcome: 'InterceptionEscape' },
      { finished: 1, failed: 0, infrastructure: 1 },
    ],
    [
      { phase: 'Complete', outcome: 'Cancelled' },
      { finished: 1, cancelled: 1 },
    ],
  ])('%j', (status, expected) => {
    expect(countRuns([aRun(status)], 1)).toMatchObject(expected);
  });

  it('runs that are planned and not created yet count as queued', () => {
    expect(countRuns([], 7)).toMatchObject({ total: 7, queued: 7 });
  });

  it('every outcome of a finished run is in exactly one count', () => {
    const { passed, failed, infrastructure, unjudged, cancelled } = countRuns(
      OUTCOMES.map((outcome) => aRun({ phase: 'Complete', outcome })),
      OUTCOMES.length,
    );
    expect({ passed, failed, infrastructure, unjudged, cancelled }).toEqual({
      passed: 1,
      failed: 2,
      infrastructure: 3,
      unjudged: 1,
      cancelled: 1,
    });
  });
});

describe('score', () => {
  const tasks = new Map([['001-a', aTask('001-a')]]);
  it('a cancelled run is not closed by a result; an infrastructure failure is, and is not eligible', () => {
    expect(scoredRuns([aRun({ outcome: 'Cancelled' }), aRun({})], tasks, true)).toEqual([]);
    expect(scoredRuns([aRun({ outcome: 'Infrastructure' })], tasks, true)).toMatchObject([
      { eligible: false, group: 'Travel' },
    ]);
  });
  it('baseline harnesses stay in every denominator, although their transcript is empty', () => {
    expect(scoredRuns([aRun({ outcome: 'Failed', resultCategory: 'infra_failure' })], tasks, true)).toMatchObject([
      { eligible: true },
    ]);
  });
});

describe('usage', () => {
  it('adds the usage of ended and running attempts; no known price is not a cost of zero', () => {
    const runs = [aRun({ usage: { costUSD: 0.1, tokens: 5, apiCalls: 1 } }), aRun({}, 'live')];
    const live = new Map([['live', { attempt: 1, spent: { costUSD: 0.2, tokens: 7, apiCalls: 2 } }]]);
    expect(batchUsage(runs, live)).toEqual({ costUSD: 0.3, tokens: 12, apiCalls: 3 });
    const dear = [...runs, aRun({ usage: { tokens: 9, apiCalls: 4 } })];
    expect(batchUsage(dear, live)).toEqual({ costUSD: 0.3, tokens: 21, apiCalls: 7, unpricedCalls: 4 });
    expect(batchUsage([aRun({})], new Map())).toEqual({ costUSD: null, tokens: 0, apiCalls: 0 });
  });

  it('counts once what the run’s own status already contains of the attempt in progress', () => {
    const earlier = { number: 1, podName: 'a1', usage: { costUSD: 1, tokens: 10, apiCalls: 1 } };
    const now = { number: 2, podName: 'a2', usage: { costUSD: 0.1, tokens: 5, apiCalls: 1 } };
    const run = aRun({ attempts: [earlier, now], usage: { costUSD: 1.1, tokens: 15, apiCalls: 2 } }, 'r');
    const live = (tokens: number): Parameters<typeof batchUsage>[1] =>
      new Map([['r', { attempt: 2, spent: { costUSD: 0.3, tokens, apiCalls: 3 } }]]);
    expect(batchUsage([run], live(8))).toEqual({ costUSD: 1.3, tokens: 18, apiCalls: 4 });
    expect(batchUsage([run], new Map())).toEqual({ costUSD: 1.1, tokens: 15, apiCalls: 2 });
  });
});
