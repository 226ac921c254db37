import { describe, expect, it } from 'vitest';
import { batchSpec } from '../../crds/batch.ts';
import { runSpec } from '../../crds/run.ts';
import { fullBatch, leastRun } from '../../crds/samples.fixture.ts';
import type { ApiCall, KubeClient } from '../../kube/client.ts';
import { readJobConfig } from './job-config.ts';

const served = (objects: Readonly<Record<string, object>>): KubeClient =>
  ({
    request: ({ path }: ApiCall) => Promise.resolve(objects[path.split('/').slice(-2).join('/')]),
  }) as unknown as KubeClient;
const env = (job: object): NodeJS.ProcessEnv => ({ CLAWBENCH_JOB: JSON.stringify(job) });
const metadata = { name: 'b', uid: 'u1' };
const job = { namespace: 'bench', kind: 'ClawBenchBatch', batch: 'b', batchUID: 'u1' };

describe('the configuration of a Job', () => {
  it('is the current batch, with the judge that the Job was created with', async () => {
    const spec = batchSpec.parse(fullBatch());
    const judge = { ...spec.judge, model: 'first' };
    const config = await readJobConfig(env({ ...job, judge }), served({ 'clawbenchbatches/b': { metadata, spec } }));
    expect(config.spec).toEqual({ ...spec, judge });
    const without = await readJobConfig(env(job), served({ 'clawbenchbatches/b': { metadata, spec } }));
    expect(without.spec.judge).toBeUndefined();
  });

  it('is the run itself for a standalone run', async () => {
    const runs = { 'clawbenchruns/b': { metadata, spec: runSpec.parse(leastRun()) } };
    const config = await readJobConfig(env({ ...job, kind: 'ClawBenchRun' }), served(runs));
    expect(config.spec.suite).toMatchObject({ name: 'demo', configMapRef: { name: 'b-task' } });
  });

  it('is never another batch of the same name', async () => {
    const spec = batchSpec.parse(fullBatch());
    const newer = { 'clawbenchbatches/b': { kind: 'ClawBenchBatch', metadata: { name: 'b', uid: 'u2' }, spec } };
    await expect(readJobConfig(env(job), served(newer))).rejects.toThrow(
      'ClawBenchBatch b was deleted and created again: this Job belongs to the earlier one',
    );
  });
});
