import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pushSuiteToStore } from '../../cli/tasks/push.ts';
import { readSuiteFolder } from '../../cli/tasks/read-folder.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { kubectl, portForward, type Forward } from '../e2e-cluster/commands.ts';
import { demoStore } from '../demo/evidence.ts';
import { aBatch } from './batch-file.ts';
import { applyAll } from './probe.fixture.ts';

/** A suite above the 1 MiB of a ConfigMap: `prepare`, recorder and judge read it from the bucket. */

const namespace = inject('namespace');
const CASE = 'demo-001-shopping-order-papermill';
let forward: Forward;

const ours = (...args: string[]): Promise<string> => kubectl(['-n', namespace, ...args]);

beforeAll(async () => {
  forward = await portForward(namespace, 'service/s3', 9000);
});
afterAll(async () => {
  forward.stop();
  await ours('delete', 'cbb', 'large-suite', 'no-suite', '--ignore-not-found', '--timeout=90s');
}, 120_000);

function batchFrom(name: string, key: string): object {
  return aBatch(namespace, name, ({ spec }) => {
    const suite = { name: 'large', s3: { prefix: key }, select: { cases: [CASE] } };
    spec.suite = suite as unknown as typeof spec.suite;
    spec.harnesses = spec.harnesses.filter((one) => one.name === 'replay');
  });
}

async function status(name: string): Promise<ClawBenchBatchStatus> {
  return (JSON.parse(await ours('get', 'cbb', name, '-o', 'json')) as { status?: ClawBenchBatchStatus }).status ?? {};
}

it('runs from the bucket, and is judged from it', async () => {
  const files = await readSuiteFolder(join(import.meta.dirname, '../../test-cases/demo/tasks'));
  const padding = { path: `${CASE}/manual.bin`, bytes: randomBytes(1_500_000) };
  const store = await demoStore(forward.url, inject('s3Keys'), 'shared');
  const pushed = await pushSuiteToStore(store, 'large', [...files, padding]);
  expect(pushed.bytes).toBeGreaterThan(1024 * 1024);
  await applyAll([batchFrom('large-suite', `shared/${pushed.key}`)]);
  await ours('wait', '--for=condition=Complete', 'cbb/large-suite', '--timeout=280s');
  expect((await status('large-suite')).counts).toMatchObject({ total: 1, passed: 1 });
}, 400_000);

it('that is not there refuses the batch, with the field and the remedy', async () => {
  await applyAll([batchFrom('no-suite', 'shared/suites/other.tar.gz')]);
  const accepted = async (): Promise<string> => {
    const found = (await status('no-suite')).conditions?.find(({ type }) => type === 'Accepted');
    return `${found?.status ?? ''} ${found?.reason ?? ''}: ${found?.message ?? ''}`;
  };
  await expect
    .poll(accepted, { timeout: 120_000, interval: 1000 })
    .toMatch(
      /^False SuiteInvalid: spec\.suite\.s3\.prefix: the suite archive shared\/suites\/other\.tar\.gz does not exist in s3:/,
    );
}, 200_000);
