import { describe, expect, it } from 'vitest';
import { batchSpec } from './batch.ts';
import { batchSpecOf, caseOf } from './run-as-batch.ts';
import { runSpec } from './run.ts';
import { fullRun, leastRun } from './samples.fixture.ts';

describe('a standalone run is a batch of one', () => {
  it('with the minimum, every block gets its default, and an inline task becomes a suite', () => {
    expect(batchSpecOf('mine', runSpec.parse(leastRun()))).toEqual(
      batchSpec.parse({
        suite: { name: 'demo', configMapRef: { name: 'mine-task' } },
        models: { names: ['none'] },
        harnesses: [{ name: 'null' }],
        parallelism: 1,
        artifacts: { s3: { bucket: 'traces' } },
      }),
    );
  });

  it('with everything, each block is that of the run', () => {
    const spec = runSpec.parse(fullRun());
    const batch = batchSpecOf('mine', spec);
    const { suite, budget, judge, browser, network, mail, artifacts, retry, deadlines, podTemplate } = spec;
    const { queueName, suspend, cancel, resume, ttlSecondsAfterFinished } = spec;
    expect(batch).toMatchObject({ suite, budget, judge, browser, network, mail, artifacts, retry, deadlines });
    expect(batch).toMatchObject({ podTemplate, queueName, suspend, cancel, resume, ttlSecondsAfterFinished });
    expect(batch.models).toEqual({ secretRef: { name: 'models', key: 'all.yaml' }, names: ['model-a'] });
    expect(batch.harnesses).toEqual([spec.harness]);
    expect([batch.repetitions, batch.parallelism]).toEqual([1, 1]);
  });

  it('its case is that of the suite, or has the name of the run', () => {
    const metadata = { name: 'mine' };
    expect(caseOf({ metadata, spec: runSpec.parse(fullRun()) })).toBe('v1-001');
    expect(caseOf({ metadata, spec: runSpec.parse(leastRun()) })).toBe('mine');
  });
});
