import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { ClawBenchBatchStatus } from '../crds/status/batch-status.ts';
import { aLiveBatch } from './batch/batch.fixture.ts';
import { createOperatorMetrics } from './metrics.ts';
import { play } from './testing/play.fixture.ts';

const MAY_BE_LABELS = [
  'namespace',
  'batch',
  'suite',
  'model',
  'harness',
  'rubric',
  'bound',
  'group',
  'outcome',
  'reason',
  'phase',
  'kind',
  'version',
  'node',
  'le',
];

async function finished(): Promise<{
  registry: Registry;
  metrics: ReturnType<typeof createOperatorMetrics>;
  status: ClawBenchBatchStatus;
}> {
  const { world } = await play({});
  const registry = new Registry();
  const metrics = createOperatorMetrics(registry, () => world.stores.clawbenchruns, '1.2.3');
  for (const run of world.stores.clawbenchruns.list()) metrics.outcome(run, 'v1-lite');
  const batch = world.stores.clawbenchbatches.get('bench/nightly');
  if (batch?.status !== undefined) metrics.batch(batch, batch.status);
  return { registry, metrics, status: batch?.status ?? {} };
}

it('fills the series of a complete batch, with fixed labels only', async () => {
  const { registry } = await finished();
  const text = await registry.metrics();
  expect(text).toContain('clawbench_runs{namespace="bench",phase="Complete"} 4');
  expect(text).toContain(
    'clawbench_run_outcomes_total{namespace="bench",suite="v1-lite",model="m1",harness="null",outcome="Passed",reason="JudgedMatch"} 4',
  );
  const all = 'suite="v1-lite",model="all",harness="all",rubric="Intercepted",bound="point"';
  expect(text).toContain(`clawbench_batch_ratio{namespace="bench",batch="nightly",${all}} 1`);
  expect(text).toContain(`clawbench_leaderboard_ratio{namespace="bench",${all}} 1`);
  expect(text).toContain(`clawbench_leaderboard_group_ratio{namespace="bench",${all},group="Travel"} 1`);
  const labels = new Set([...text.matchAll(/([a-z_]+)="/g)].map((found) => found[1]));
  expect([...labels].filter((label) => !MAY_BE_LABELS.includes(label ?? ''))).toEqual([]);
});

it('the series of a deleted batch are removed; the leaderboard keeps the score of the suite', async () => {
  const { registry, metrics } = await finished();
  metrics.forgetBatch('bench', 'nightly');
  const text = await registry.metrics();
  expect(text).not.toContain('batch="nightly"');
  expect(text).toContain('clawbench_leaderboard_ratio{');
});

it('an older batch of the suite does not replace the newest on the leaderboard', async () => {
  const { registry, metrics, status } = await finished();
  const overall = { nTotal: 4, nEligible: 4, nIntercepted: 0, interceptedRate: 0 };
  metrics.batch(aLiveBatch(), { ...status, completionTime: '2020-01-01T00:00:00Z', rescoreSummary: { overall } });
  expect(await registry.metrics()).toMatch(
    /clawbench_leaderboard_ratio\{.*model="all",harness="all",rubric="Intercepted",bound="point"\} 1/,
  );
});
