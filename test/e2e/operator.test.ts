import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { kubectl } from '../e2e-cluster/commands.ts';
import { ensureBaseImages } from '../cluster/base-images.ts';
import { buildImage } from '../cluster/build-image.ts';
import { pushImage } from '../cluster/push-image.ts';
import { aBatch, type BatchDocument } from './batch-file.ts';

/**
 * How the operator takes what a real kubelet, scheduler and kernel do to a run's pod. Only the harness is a stand-in (it
 * eats memory, or sleeps); recorder and browser are the real ones.
 */
const namespace = inject('namespace');
const names: string[] = [];
let image = '';

const HARNESS = `#!/bin/sh
: > "$CLAWBENCH_DATA_DIR/agent-messages.jsonl"
case "$MODE" in
  hog) exec node -e 'const kept = []; setInterval(() => kept.push(Buffer.alloc(16e6, 1)), 20)' ;;
  *) exec sleep 600 ;;
esac
`;

const ours = (...args: string[]): Promise<string> => kubectl(['-n', namespace, ...args]);

async function makeHarness(): Promise<string> {
  const { node } = await ensureBaseImages();
  const dir = mkdtempSync(join(tmpdir(), 'clawbench-physics-'));
  writeFileSync(join(dir, 'run-harness.sh'), HARNESS);
  writeFileSync(
    join(dir, 'Dockerfile'),
    'ARG BASE\nFROM ${BASE}\nCOPY --chmod=755 run-harness.sh /run-harness.sh\nUSER 1000:1000\n',
  );
  const tag = 'localhost/clawbench-physics:1';
  await buildImage({ dir, tag, buildArgs: { BASE: node } });
  return pushImage(tag);
}

/** One task, one run, no second attempt unless the test asks for it. */
async function submit(
  name: string,
  mode: string,
  change: (batch: BatchDocument) => void = () => undefined,
): Promise<void> {
  names.push(name);
  const batch = aBatch(namespace, name, ({ spec }) => {
    spec.suite.select = { cases: ['demo-001-*'] };
    spec.harnesses = [{ name: 'physics', image, env: [{ name: 'MODE', value: mode }] } as never];
    spec['retry'] = { infrastructureLimit: 0 };
  });
  change(batch);
  await kubectl(['apply', '-f', '-'], { input: JSON.stringify(batch) });
}

async function runOf(name: string): Promise<ClawBenchRunStatus> {
  const list = JSON.parse(await ours('get', 'cbr', '-l', `claw-bench.com/batch=${name}`, '-o', 'json')) as {
    items: { status?: ClawBenchRunStatus }[];
  };
  return list.items[0]?.status ?? {};
}
async function batchOf(name: string): Promise<ClawBenchBatchStatus> {
  return (JSON.parse(await ours('get', 'cbb', name, '-o', 'json')) as { status: ClawBenchBatchStatus }).status;
}
const until = (look: () => Promise<string | undefined>): ReturnType<typeof expect.poll<string | undefined>> =>
  expect.poll(look, { timeout: 200_000, interval: 1000 });

/** All at once: each waits mostly for a clock. */
beforeAll(async () => {
  image = await makeHarness();
  await submit('oom', 'hog', ({ spec }) => {
    spec['podTemplate'] = { spec: { containers: [{ name: 'harness', resources: { limits: { memory: '160Mi' } } }] } };
  });
  await submit('nopull', 'sleep', ({ spec }) => {
    spec.harnesses = [{ name: 'physics', image: '127.0.0.1:15000/no-such-image:1' }];
    spec['deadlines'] = { agentStartSeconds: 20 };
  });
  await submit('nonode', 'sleep', ({ spec }) => {
    spec['podTemplate'] = { spec: { containers: [{ name: 'harness', resources: { requests: { cpu: '500' } } }] } };
    spec['deadlines'] = { pendingSeconds: 90 };
  });
  await submit('evicted', 'sleep');
}, 300_000);
afterAll(async () => {
  if (names.length > 0) await ours('delete', 'cbb', ...names, '--ignore-not-found', '--timeout=90s');
}, 120_000);

describe('a pod that does not end by itself', () => {
  it('an image that cannot be pulled is its pending reason while it waits, and the reason at the end', async () => {
    await until(async () => (await runOf('nopull')).pendingReason).toMatch(
      /^The image 127\.0\.0\.1:15000\/no-such-image:1 of container harness cannot be pulled/,
    );
    await until(
      async () => (await batchOf('nopull')).conditions?.find((one) => one.type === 'Progressing')?.message,
    ).toMatch(/no-such-image/);
    await until(async () => (await runOf('nopull')).reason).toBe('ImagePullFailed');
  });

  it('a pod that cannot be scheduled says why, and ends at its deadline', async () => {
    await until(async () => (await runOf('nonode')).pendingReason).toMatch(
      /^The pod cannot be scheduled: .*Insufficient cpu/,
    );
    await until(async () => (await runOf('nonode')).reason).toBe('Unschedulable');
    expect((await runOf('nonode')).outcome).toBe('Infrastructure');
  });

  it('out of memory is not a failure of the agent', async () => {
    await until(async () => (await runOf('oom')).phase).toBe('Complete');
    expect(await runOf('oom')).toMatchObject({ outcome: 'Infrastructure', reason: 'OutOfMemory', intercepted: false });
    await until(async () => (await batchOf('oom')).phase).toBe('Complete');
    expect((await batchOf('oom')).counts).toMatchObject({ infrastructure: 1, failed: 0 });
  });

  it('an evicted pod is a new attempt that costs no retry; cancel ends that one with its evidence kept', async () => {
    await until(async () => (await runOf('evicted')).phase).toBe('Running');
    const pod = (await runOf('evicted')).attempts?.at(-1)?.podName ?? '';
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } };
    await kubectl(['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`, '-f', '-'], {
      input: JSON.stringify(eviction),
    });
    await until(async () => String((await runOf('evicted')).attempt)).toBe('2');
    const [first] = (await runOf('evicted')).attempts ?? [];
    expect(first).toMatchObject({ number: 1, outcome: 'Infrastructure', reason: 'Evicted' });
    expect((await runOf('evicted')).infrastructureFailures).toBeUndefined();

    await until(async () => (await runOf('evicted')).phase).toBe('Running');
    await ours('patch', 'cbb', 'evicted', '--type=merge', '-p', '{"spec":{"cancel":true}}');
    await until(async () => (await runOf('evicted')).phase).toBe('Complete');
    expect(await runOf('evicted')).toMatchObject({
      outcome: 'Cancelled',
      reason: 'CancelledByUser',
      evidence: 'Complete',
      attempt: 2,
    });
    await until(async () => (await batchOf('evicted')).phase).toBe('Cancelled');
  });
});
