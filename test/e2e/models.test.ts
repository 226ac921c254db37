import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { kubectl, portForward, type Forward } from '../e2e-cluster/commands.ts';
import { secretManifest } from '../e2e-cluster/namespace.ts';
import { demoStore, verifyBundles } from '../demo/evidence.ts';
import { aBatch } from './batch-file.ts';
import {
  applyAll,
  completed,
  objectAt,
  objectsOf,
  ORDER,
  probeRun,
  rowsAt,
  runStatus,
  startServer,
  type ProbeRun,
} from './probe.fixture.ts';

/**
 * A harness that calls a model, in a real Pod: only the gateway has the key, usage is what the provider reported, and a cap or a
 * provider's failure has a reason of its own. The provider follows scripts (test/e2e-cluster/scripted-provider.ts): 120 tokens a call.
 */

const namespace = inject('namespace');
const KEY = `sk-${randomBytes(16).toString('hex')}`;
const PROVIDER = `http://provider.${namespace}.svc:8082`;
/** 60 plain at 10, 40 from the cache at 1, 20 out at 50 USD per million. */
const CALL_USD = 0.00164;
const MODELS = {
  'm-chat': { base_url: `${PROVIDER}/ok/v1`, api_type: 'openai-completions', temperature: 0 },
  'm-responses': { base_url: `${PROVIDER}/ok/v1`, api_type: 'openai-responses' },
  'm-anthropic': { base_url: `${PROVIDER}/ok`, api_type: 'anthropic-messages' },
  'm-gemini': { base_url: `${PROVIDER}/ok/v1beta`, api_type: 'google-generative-ai' },
  flaky: { base_url: `${PROVIDER}/flaky/v1`, api_type: 'openai-completions' },
  busy: { base_url: `${PROVIDER}/busy/v1`, api_type: 'anthropic-messages' },
};
const PRICE = { input: 10, output: 50, cacheRead: 1 };
const secretRef = { name: 'agent-models', key: 'models.yaml' };
const names: string[] = [];
let forward: Forward;

const ours = (...args: string[]): Promise<string> => kubectl(['-n', namespace, ...args]);
const storeOf = (prefix: string): ReturnType<typeof demoStore> => demoStore(forward.url, inject('s3Keys'), prefix);

beforeAll(async () => {
  forward = await portForward(namespace, 'service/s3', 9000);
  const entries = Object.entries(MODELS).map(([name, entry]) => [name, { ...entry, api_key: KEY }]);
  const prices = Object.fromEntries(Object.keys(MODELS).map((name) => [name, PRICE]));
  await applyAll([
    secretManifest(namespace, 'agent-models', {
      'models.yaml': JSON.stringify(Object.fromEntries(entries)),
      'prices.yaml': JSON.stringify(prices),
    }),
  ]);
  const env = [{ name: 'PROVIDER_KEY', value: KEY }];
  await startServer(namespace, { name: 'provider', program: 'provider.js', port: 8082, env });
}, 120_000);
afterAll(async () => {
  forward.stop();
  await ours('delete', 'cbb', 'models', '--ignore-not-found', '--timeout=90s');
  await ours('delete', 'cbr', ...names, '--ignore-not-found', '--timeout=90s');
  await ours('delete', 'pod,service', 'provider', '--ignore-not-found', '--grace-period=1', '--timeout=30s');
}, 240_000);

async function run(model: string, { name, steps, spec = {} }: ProbeRun): Promise<ClawBenchRunStatus> {
  names.push(name);
  const change = { model, models: { secretRef }, ...spec };
  await applyAll([probeRun(namespace, { name, steps, spec: change, harness: { usesModel: true } })]);
  return completed(namespace, name);
}

/** Nothing that a run left holds the key, however it is written. */
async function expectNoKey(prefix: string): Promise<ReadonlyMap<string, string>> {
  const objects = await objectsOf(await storeOf(prefix));
  for (const form of [KEY, Buffer.from(KEY).toString('base64').slice(0, 40)])
    expect([...objects].filter(([, text]) => text.includes(form)).map(([key]) => key)).toEqual([]);
  return objects;
}

interface PodJson {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: Record<'initContainers' | 'containers', { name: string; volumeMounts: { name: string }[] }[]> & {
    readonly volumes: { readonly name: string; readonly secret?: object }[];
  };
}

describe('a batch whose harness calls models of the four APIs', () => {
  let pods = '';
  let live: ClawBenchBatchStatus['usage'];

  it('runs, and its usage is seen while it does', async () => {
    const steps = [ORDER[0], { waitMs: 60_000, ...ORDER[1] }];
    const batch = aBatch(namespace, 'models', ({ spec }) => {
      spec.models = { secretRef, names: ['m-*'] };
      const env = [{ name: 'PROBE_STEPS', value: JSON.stringify(steps) }];
      spec.harnesses = [{ name: 'probe', usesModel: true, env } as (typeof spec.harnesses)[number]];
      spec.suite.select = { cases: ['demo-001*'] };
      spec['parallelism'] = 4;
      delete (spec as { judge?: unknown }).judge;
    });
    await applyAll([batch]);
    const status = async (): Promise<ClawBenchBatchStatus> =>
      (JSON.parse(await ours('get', 'cbb', 'models', '-o', 'json')) as { status?: ClawBenchBatchStatus }).status ?? {};
    const ofRunning = async (): Promise<string[]> => {
      const { items } = JSON.parse(await ours('get', 'cbr', '-l', 'claw-bench.com/batch=models', '-o', 'json')) as {
        items: { status?: ClawBenchRunStatus }[];
      };
      return items.map(({ status: { phase, usage, columns } = {} }) =>
        phase === 'Running' ? `${String(usage?.tokens)} tokens, ${columns?.cost ?? ''}` : (phase ?? ''),
      );
    };
    const accepted = async (): Promise<string> => {
      const found = (await status()).conditions?.find(({ type }) => type === 'Accepted');
      return `${found?.status ?? ''} ${found?.message ?? ''}`;
    };
    await expect.poll(accepted, { timeout: 60_000, interval: 1000 }).toMatch(/^True/);
    await expect.poll(async () => (await status()).counts?.running ?? 0, { timeout: 180_000, interval: 1000 }).toBe(4);
    pods = await ours('get', 'pods', '-l', 'claw-bench.com/batch=models', '-o', 'json');
    await expect.poll(ofRunning, { timeout: 45_000, interval: 1000 }).toEqual(Array(4).fill('240 tokens, $0.00'));
    await expect
      .poll(async () => (await status()).usage?.tokens ?? 0, { timeout: 90_000, interval: 1000 })
      .toBeGreaterThan(0);
    const seen = await status();
    live = (seen.counts?.running ?? 0) > 0 ? seen.usage : undefined;
    expect(live?.tokens).toBeGreaterThan(0);
    await ours('wait', '--for=condition=Complete', 'cbb/models', '--timeout=240s');
  }, 600_000);

  it('passes, and its usage is exact at the end', async () => {
    const { status } = JSON.parse(await ours('get', 'cbb', 'models', '-o', 'json')) as { status: ClawBenchBatchStatus };
    expect(status.counts).toMatchObject({ total: 4, passed: 4 });
    expect(status.usage).toMatchObject({ tokens: 4 * 2 * 120, apiCalls: 4 * 2, costUSD: 4 * 2 * CALL_USD });
    const runs = JSON.parse(await ours('get', 'cbr', '-l', 'claw-bench.com/batch=models', '-o', 'json')) as {
      items: { status: ClawBenchRunStatus }[];
    };
    for (const one of runs.items)
      expect(one.status).toMatchObject({ attempt: 1, usage: { tokens: 240, apiCalls: 2, costUSD: 2 * CALL_USD } });
  });

  it('gave the Secret to the container models alone, and no Pod contains the key', () => {
    expect(pods).not.toContain(KEY);
    const { items } = JSON.parse(pods) as { items: PodJson[] };
    const runs = items.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'run');
    expect(runs).toHaveLength(4);
    for (const { spec } of runs) {
      const holders = [...spec.initContainers, ...spec.containers].filter(({ volumeMounts }) =>
        volumeMounts.some(({ name }) => spec.volumes.find((one) => one.name === name)?.secret !== undefined),
      );
      expect(holders.map(({ name }) => name)).toEqual(['models']);
    }
  });

  it('left bundles with the usage and without a key, in which the harness reports what it knew', async () => {
    const objects = await expectNoKey('models');
    expect(await verifyBundles(await storeOf('models'))).toMatchObject({ bundles: 4, problems: [] });
    const of = (model: string): Map<string, string> =>
      new Map([...objects].filter(([key]) => key.startsWith(`${model}/`)));
    for (const model of ['m-chat', 'm-responses', 'm-anthropic', 'm-gemini']) {
      const own = of(model);
      expect(rowsAt(own, 'data/usage.jsonl').map((row) => row['total_tokens'])).toEqual([120, 120]);
      expect(rowsAt(own, 'data/model-calls.jsonl')).toMatchObject([
        { status: 200, usage: 'Exact', tokens: 120 },
        { status: 200, usage: 'Exact', tokens: 120 },
      ]);
      expect(JSON.parse(objectAt(own, '/run-meta.json'))).toMatchObject({
        usage: { total_tokens: 240, api_calls: 2 },
        model_config: { model, api_key_count: 1 },
      });
    }
    const env = objectAt(of('m-chat'), 'data/logs/env.log').split('\n');
    expect(env).toEqual(
      expect.arrayContaining([
        'BASE_URL=http://127.0.0.1:4100/ok/v1',
        'API_TYPE=openai-completions',
        'TEMPERATURE=0',
        'API_KEY=clawbench',
        'API_KEYS=["clawbench"]',
        'MODEL_NAME=m-chat',
      ]),
    );
    expect(objectAt(of('m-chat'), 'data/logs/files.log')).not.toMatch(/models\.yaml|model-calls/);
  });
});

describe.concurrent('what ends a run', () => {
  const idle = [{}, {}, {}, {}];

  it('a cap on calls or on cost: no further call, and a reason of its own', async () => {
    const [calls, cost] = await Promise.all([
      run('m-chat', { name: 'cap-calls', steps: idle, spec: { budget: { perRunCalls: 2 } } }),
      run('m-anthropic', { name: 'cap-cost', steps: idle, spec: { budget: { perRunCostUSD: 0.002 } } }),
    ]);
    const ended = { outcome: 'Failed', reason: 'BudgetExceeded', intercepted: false, evidence: 'Complete' };
    const spent = { tokens: 240, apiCalls: 2, costUSD: 2 * CALL_USD };
    expect(calls).toMatchObject({ ...ended, usage: spent });
    expect(cost).toMatchObject({ ...ended, usage: spent });
    expect(calls.message).toMatch(/cap on calls was reached after 2 calls, 240 tokens/);
    const rows = rowsAt(await expectNoKey('cap-calls'), 'data/model-calls.jsonl');
    expect(rows.map(({ status, result }) => [status, result])).toEqual([
      [200, 'Ok'],
      [200, 'Ok'],
      [402, 'CallCap'],
    ]);
  });

  it('a Pod that is killed: the usage that was observed counts, and uses up the cap of the next', async () => {
    const name = 'killed-capped';
    const spec = { budget: { perRunCalls: 2 }, retry: { infrastructureLimit: 2 } };
    const ending = run('m-chat', { name, steps: [ORDER[0], { waitMs: 200_000 }], spec });
    const calls = async (): Promise<number | undefined> =>
      (await runStatus(namespace, name).catch(() => undefined))?.usage?.apiCalls;
    await vi.waitFor(async () => expect(await calls()).toBe(2), { timeout: 120_000, interval: 1000 });
    await ours('delete', 'pod', `${name}-a1`, '--force', '--grace-period=0');
    const ended = await ending;
    expect(ended).toMatchObject({
      outcome: 'Infrastructure',
      attempt: 1,
      usage: { tokens: 240, unreportedAttempts: 1 },
    });
    expect(ended.message).toMatch(/No retry: the run has used up its cap on calls/);
  });

  it('not a provider that fails and then answers', async () => {
    expect(await run('flaky', { name: 'provider-flaky', steps: ORDER })).toMatchObject({
      outcome: 'Passed',
      attempt: 1,
      usage: { tokens: 240, apiCalls: 2 },
    });
    const objects = await expectNoKey('provider-flaky');
    const rows = rowsAt(objects, 'data/model-calls.jsonl');
    expect(rows.map(({ status, result }) => [status, result])).toEqual([
      [429, 'RateLimit'],
      [500, 'Server'],
      [200, 'Ok'],
      [200, 'Ok'],
    ]);
    expect(objectAt(objects, 'data/logs/probe.log')).toContain('scripted failure for key');
  });

  it('a provider that stops answering: infrastructure, not the agent', async () => {
    const status = await run('busy', { name: 'provider-busy', steps: ORDER });
    expect(status).toMatchObject({ outcome: 'Infrastructure', reason: 'ModelUnavailable', intercepted: false });
    expect(status.message).toMatch(/answered 429 \(RateLimit\) at the end; 5 calls failed/);
    await expectNoKey('provider-busy');
  });

  it('a model that the Secret does not have: before the agent starts, with a message', async () => {
    const status = await run('m-none', { name: 'model-missing', steps: ORDER });
    expect(status).toMatchObject({ outcome: 'Infrastructure', reason: 'ModelGatewayFailed' });
    expect(status.message).toContain('the models file has no model m-none');
    expect((await runStatus(namespace, 'model-missing')).times?.agentStarted).toBeUndefined();
  });
});
