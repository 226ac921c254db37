import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { kubectl, portForward } from '../e2e-cluster/commands.ts';
import { demoStore, verifyBundles } from '../demo/evidence.ts';
import { aBatch } from './batch-file.ts';

/** A standalone run is its own batch: the blocks of the demo's batch, one task, no `prepare`. */

const namespace = inject('namespace');
const CASE = 'demo-001-shopping-order-papermill';
const names: string[] = [];
/** Not `expect.poll`, which knows no tests that run at the same time. */
const POLL = { timeout: 30_000, interval: 1000 };

const ours = (...args: string[]): Promise<string> => kubectl(['-n', namespace, ...args]);

/** A run under a prefix of its own, with the demo's judge and network. */
function aRun(name: string, change: Record<string, unknown> = {}): string {
  const { spec } = aBatch(namespace, name);
  names.push(name);
  return JSON.stringify({
    apiVersion: 'claw-bench.com/v1alpha1',
    kind: 'ClawBenchRun',
    metadata: { name, namespace },
    spec: {
      suite: spec.suite,
      task: { ref: { case: CASE } },
      model: 'no-model',
      harness: spec.harnesses.find((one) => one.name === 'replay'),
      judge: spec.judge,
      network: spec.network,
      artifacts: spec.artifacts,
      podTemplate: spec.podTemplate,
      ...change,
    },
  });
}

const inlineTask = (): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../test-cases/demo/tasks', CASE, 'task.json'), 'utf8'));

const apply = (run: string): Promise<string> => kubectl(['apply', '-f', '-'], { input: run });

async function statusOf(name: string): Promise<ClawBenchRunStatus> {
  return (JSON.parse(await ours('get', 'cbr', name, '-o', 'json')) as { status?: ClawBenchRunStatus }).status ?? {};
}

async function condition(name: string, type: string): Promise<string> {
  const found = (await statusOf(name)).conditions?.find((one) => one.type === type);
  return found === undefined ? '' : `${found.status} ${found.reason}: ${found.message}`;
}

async function complete(name: string): Promise<ClawBenchRunStatus> {
  await kubectl(['-n', namespace, 'wait', '--for=condition=Complete', `cbr/${name}`, '--timeout=240s'], {
    limitMs: 260_000,
  });
  return statusOf(name);
}

afterAll(async () => {
  await ours('delete', 'cbr', ...names, '--ignore-not-found', '--timeout=90s');
}, 120_000);

describe('a task of a suite and one that the run carries itself', () => {
  let byName: ClawBenchRunStatus;
  let inline: ClawBenchRunStatus;
  let nothing: ClawBenchRunStatus;

  beforeAll(async () => {
    await apply(aRun('hand-ref'));
    // The harness looks for its recorded actions by the case's name, and an inline task has the run's.
    await apply(aRun(CASE, { suite: { name: 'demo' }, task: { inline: inlineTask() } }));
    await apply(aRun('hand-null', { harness: { name: 'null' } }));
    byName = await complete('hand-ref');
    inline = await complete(CASE);
    nothing = await complete('hand-null');
  }, 600_000);

  it('both are intercepted, judged and passed', () => {
    const passed = { phase: 'Complete', outcome: 'Passed', reason: 'JudgedMatch', intercepted: true, attempt: 1 };
    const verdicts = { Strict: { match: true }, Lenient: { match: true } };
    expect(byName).toMatchObject({ ...passed, verdicts, evidence: 'Complete' });
    expect(inline).toMatchObject({ ...passed, verdicts, evidence: 'Complete' });
  });

  it('one that has nothing to judge is complete at once and starts no Job', async () => {
    expect(nothing).toMatchObject({ phase: 'Complete', outcome: 'Failed', reason: 'AgentExited', intercepted: false });
    expect(await ours('get', 'jobs', '-l', 'claw-bench.com/batch=hand-null', '-o', 'name')).toBe('');
  });

  it('left a verified bundle each, with the verdict in it', async () => {
    const forward = await portForward(namespace, 'service/s3', 9000);
    try {
      for (const [name, status] of Object.entries({ 'hand-ref': byName, [CASE]: inline, 'hand-null': nothing })) {
        const store = await demoStore(forward.url, inject('s3Keys'), name);
        expect(await verifyBundles(store), name).toMatchObject({ bundles: 1, problems: [] });
        const prefix = status.attempts?.at(-1)?.prefix ?? '';
        const run = `no-model/batch-${name}--${harnessOf(name)}--no-model/no-model/00001-01-${name}`;
        expect(prefix).toMatch(new RegExp(`^${run}/a1-[0-9a-f]{8}/$`));
        const meta = await store.get(`${prefix}run-meta.json`);
        const { judge_match: match } = JSON.parse(Buffer.from(meta ?? '{}').toString()) as { judge_match?: boolean };
        expect(match === true, name).toBe(name !== 'hand-null');
      }
    } finally {
      forward.stop();
    }
  });

  it('deletion removes everything', async () => {
    for (const name of ['hand-ref', CASE]) {
      await ours('delete', 'cbr', name, '--timeout=60s');
      const left = (): Promise<string> =>
        ours('get', 'pods,jobs,configmaps,networkpolicies', '-l', `claw-bench.com/batch=${name}`, '-o', 'name');
      await expect.poll(left, { timeout: 60_000, interval: 1000 }).toBe('');
    }
  }, 180_000);
});

const harnessOf = (name: string): string => (name === 'hand-null' ? 'null' : 'replay');

it.concurrent(
  'a case that the suite does not have ends the run with a message and without a second attempt',
  async () => {
    await apply(aRun('hand-no-case', { task: { ref: { case: 'no-such-case' } } }));
    const status = await complete('hand-no-case');
    expect(status).toMatchObject({ outcome: 'Infrastructure', reason: 'TaskMismatch', attempt: 1 });
    expect(status.message).toMatch(/no case named "no-such-case"/);
  },
  300_000,
);

it.concurrent(
  'is refused in a sentence that names the field, and no Pod is made',
  async () => {
    const wrong: readonly [string, Record<string, unknown>, RegExp][] = [
      [
        'hand-no-suite',
        { suite: { name: 's', configMapRef: { name: 'nowhere' } } },
        /SuiteNotFound: spec\.suite\.configMapRef.*nowhere/,
      ],
      [
        'hand-bad-task',
        { suite: { name: 's' }, task: { inline: { instruction: 'x' } } },
        /TaskInvalid: spec\.task\.inline/,
      ],
      ['hand-harness', { harness: { name: 'hermit' } }, /HarnessRefused: spec\.harness\.name hermit/],
      ['hand-later', { queueName: 'team-a' }, /UnsupportedField: spec\.queueName/],
    ];
    for (const [name, change] of wrong) await apply(aRun(name, change));
    for (const [name, , message] of wrong) {
      await vi.waitFor(async () => expect(await condition(name, 'Accepted'), name).toMatch(message), POLL);
      expect(await condition(name, 'Complete')).toMatch(/^False NotAccepted/);
      expect(await ours('get', 'pods', '-l', `claw-bench.com/run=${name}`, '-o', 'name')).toBe('');
    }
  },
  120_000,
);

it.concurrent(
  'waits while it is suspended, and ends when it is cancelled',
  async () => {
    await apply(aRun('hand-wait', { suspend: true }));
    const why = async (): Promise<string> => (await statusOf('hand-wait')).pendingReason ?? '';
    await vi.waitFor(async () => expect(await why()).toMatch(/^spec\.suspend is true/), POLL);
    await ours('patch', 'cbr', 'hand-wait', '--type=merge', '-p', '{"spec":{"cancel":true}}');
    expect(await complete('hand-wait')).toMatchObject({ outcome: 'Cancelled', reason: 'CancelledByUser' });
  },
  120_000,
);

it.concurrent(
  'ttlSecondsAfterFinished deletes it',
  async () => {
    await apply(aRun('hand-ttl', { harness: { name: 'null' }, ttlSecondsAfterFinished: 20 }));
    await complete('hand-ttl');
    const left = (): Promise<string> => ours('get', 'cbr', 'hand-ttl', '--ignore-not-found', '-o', 'name');
    await vi.waitFor(async () => expect(await left()).toBe(''), { ...POLL, timeout: 60_000 });
  },
  360_000,
);
