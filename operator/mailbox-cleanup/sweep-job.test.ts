import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { A_BATCH, A_JOB, A_RUN } from './sweep-job.fixture.ts';
import { buildSweepJob, sweptAttempt } from './sweep-job.ts';

it('the sweep Job of an attempt is suspended, has no owner and no API token, and names its attempt', async () => {
  const { apiVersion: _version, kind: _kind, ...object } = A_JOB;
  await expect(stringify(object, { aliasDuplicateObjects: false })).toMatchFileSnapshot('golden/sweep-job.yaml');
  expect(sweptAttempt(A_JOB)).toEqual({ run: 'nightly-0123456789ab', runUID: 'run-uid', attempt: 2 });
  expect(A_JOB.spec?.template.metadata?.labels).not.toHaveProperty(['claw-bench.com/run']);
});

it('the Job ends within two hours, however long the batch lets its pods wait for a node', () => {
  const deadlines = { ...A_BATCH.spec.deadlines, pendingSeconds: 604_800 };
  const batch = { ...A_BATCH, spec: { ...A_BATCH.spec, deadlines } };
  expect(buildSweepJob(A_RUN, batch, 2, 'judge:1').spec?.activeDeadlineSeconds).toBe(7200);
});

it.each<[string, object]>([
  ['another component', { labels: { ...A_JOB.metadata.labels, 'app.kubernetes.io/component': 'judge' } }],
  ['no attempt', { labels: { ...A_JOB.metadata.labels, 'claw-bench.com/attempt': 'x' } }],
  ['no run', { annotations: {} }],
])('a Job with %s is not the sweep Job of an attempt', (_, change) => {
  expect(sweptAttempt({ ...A_JOB, metadata: { ...A_JOB.metadata, ...change } })).toBeNull();
});
