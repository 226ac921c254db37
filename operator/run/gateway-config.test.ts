import { describe, expect, it } from 'vitest';
import { batchSpec } from '../../crds/batch.ts';
import { runSpec } from '../../crds/run.ts';
import { batchRun, leastBatch } from '../../crds/samples.fixture.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import { podModels } from './gateway-config.ts';
import { runConfigOf } from './run-config.ts';

type Budget = NonNullable<Parameters<typeof batchSpec.parse>[0]>;
const models = { secretRef: { name: 'models', key: 'mine.yaml' }, names: ['*'] };
const of = (
  more: { harness?: object; budget?: Budget; usage?: ClawBenchRunStatus['usage']; models?: object } = {},
): ReturnType<typeof podModels> => {
  const harness = { name: 'hermes', image: 'x', ...more.harness };
  const run = { spec: runSpec.parse({ ...batchRun(), harness, model: 'm1' }) };
  const batch = { spec: batchSpec.parse({ ...leastBatch(), models: more.models ?? models, budget: more.budget }) };
  return podModels({ ...run, ...(more.usage === undefined ? {} : { status: { usage: more.usage } }) }, batch);
};

describe('the model gateway of a run', () => {
  it('exists for a harness that calls a model, and says which one, with which key', () => {
    const caps = { tokens: null, costUSD: null, calls: null };
    const config = { harness: 'hermes', model: 'm1', modelsKey: 'mine.yaml', pricesKey: 'prices.yaml', caps };
    expect(of()).toEqual({ secret: 'models', config });
    expect(of({ harness: { name: 'null' } })).toBeNull();
    expect(of({ models: { names: ['m1'] } })).toBeNull();
  });

  it('has what earlier attempts left of the caps', () => {
    const budget = { perRunCostUSD: 0.5, perRunTokens: 1000, perRunCalls: 9 };
    expect(of({ budget })?.config.caps).toEqual({ tokens: 1000, costUSD: 0.5, calls: 9 });
    const usage = { costUSD: 0.2, tokens: 400, apiCalls: 9 };
    expect(of({ budget, usage })?.config.caps).toEqual({ tokens: 600, costUSD: 0.3, calls: 0 });
    const taskEntry = { case: 'c', sha256: null, timeLimitSeconds: null, index: 0 };
    const recorders = (spent?: object): unknown => {
      const metadata = { name: 'r', namespace: 'n', uid: 'u' };
      const run = {
        metadata,
        spec: runSpec.parse(batchRun()),
        ...(spent === undefined ? {} : { status: { usage: spent } }),
      };
      const batch = { metadata, spec: batchSpec.parse({ ...leastBatch(), budget }) };
      const images = { recorder: '', browser: '', judge: '', harnesses: {} };
      return runConfigOf(run as Live<Run>, batch as Live<Batch>, { taskEntry, number: 2 }, images).capsInFull;
    };
    expect([recorders(), recorders(usage)]).toEqual([null, { tokens: 1000, costUSD: 0.5, calls: 9 }]);
    expect(of({ budget, usage: { costUSD: null, tokens: 2000, apiCalls: 1 } })?.config.caps).toEqual({
      tokens: 0,
      costUSD: 0.5,
      calls: 8,
    });
  });
});
