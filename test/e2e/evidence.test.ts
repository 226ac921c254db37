import CDP from 'chrome-remote-interface';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { verifyManifest } from '../../store/verify-manifest.ts';
import { kubectl, portForward, type Forward } from '../e2e-cluster/commands.ts';
import { serverManifests } from '../e2e-cluster/namespace.ts';
import { demoStore } from '../demo/evidence.ts';
import { aBatch } from './batch-file.ts';

/** A killed Pod and an unavailable store lose nothing older than the upload interval, and every run has an outcome. */

const namespace = inject('namespace');
const INTERVAL_MS = 10_000;
const OUTAGE_MS = 120_000;
/** A click each 0.4 s and one row for it: the first is killed halfway, the second outlasts its outage. */
const CLICKS = { killed: 120, outage: 420 };
const names: string[] = [];
let forward: Forward;

const ours = (...args: string[]): Promise<string> => kubectl(['-n', namespace, ...args]);

beforeAll(async () => {
  forward = await portForward(namespace, 'service/s3', 9000);
});
afterAll(async () => {
  forward.stop();
  await ours('delete', 'cbr', ...names, '--ignore-not-found', '--timeout=90s');
  await ours('delete', 'pod,service', 's3-way', '--ignore-not-found', '--grace-period=1', '--timeout=30s');
}, 150_000);

/** A run whose agent clicks for a known time; its evidence goes through `endpoint`. */
async function startRun(name: string, clicks: number, endpoint?: string): Promise<void> {
  const { spec } = aBatch(namespace, name);
  names.push(name);
  const artifacts = {
    ...spec.artifacts,
    s3: { ...spec.artifacts.s3, ...(endpoint === undefined ? {} : { endpoint }) },
  };
  const env = [{ name: 'RANDOM_CLICK_COUNT', value: String(clicks) }];
  const run = {
    apiVersion: 'claw-bench.com/v1alpha1',
    kind: 'ClawBenchRun',
    metadata: { name, namespace },
    spec: {
      suite: { name: 'demo' },
      task: {
        inline: {
          instruction: 'Click.',
          eval_schema: { url_pattern: 'nowhere\\.test/never', method: 'POST' },
          time_limit: 10,
        },
      },
      model: 'no-model',
      harness: { name: 'random-click', env },
      network: spec.network,
      artifacts,
      podTemplate: spec.podTemplate,
    },
  };
  await kubectl(['apply', '-f', '-'], { input: JSON.stringify(run) });
}

async function statusOf(name: string): Promise<ClawBenchRunStatus> {
  return (JSON.parse(await ours('get', 'cbr', name, '-o', 'json')) as { status?: ClawBenchRunStatus }).status ?? {};
}

async function running(name: string): Promise<ClawBenchRunStatus> {
  const started = async (): Promise<boolean> =>
    (await statusOf(name)).attempts?.at(-1)?.times?.agentStarted !== undefined;
  await vi.waitFor(async () => expect(await started()).toBe(true), { timeout: 120_000, interval: 1000 });
  return statusOf(name);
}

/** Rows of a JSONL file of an attempt in the store, whole or in live chunks. */
async function rowsOf(store: ObjectStore, attempt: RegExp, file: string): Promise<Record<string, unknown>[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) if (attempt.test(key)) keys.push(key);
  const whole = keys.filter((key) => key.endsWith(`/data/${file}`));
  const chunks = keys.filter((key) => key.includes(`/live/${file}/`)).toSorted();
  const parts: string[] = [];
  for (const key of whole.length > 0 ? whole : chunks)
    parts.push(Buffer.from((await store.get(key)) ?? '').toString('utf8'));
  const lines = parts.join('').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}

function lastClick(rows: readonly Record<string, unknown>[]): number {
  const times = rows.filter(({ type }) => type === 'click').map(({ timestamp }) => Number(timestamp));
  return Math.max(...times);
}

/** Evaluates an expression in the agent's page, through the DevTools proxy of a running Pod. */
async function inPageOf(pod: string, expression: string): Promise<unknown> {
  const devTools = await portForward(namespace, `pod/${pod}`, 9222);
  try {
    const client = await CDP({ host: '127.0.0.1', port: Number(new URL(devTools.url).port), local: true });
    const { result } = await client.Runtime.evaluate({ expression, returnByValue: true });
    await client.close();
    return result.value;
  } finally {
    devTools.stop();
  }
}

it.concurrent(
  'a Pod deleted by force loses at most the evidence interval, and the run ends in a typed outcome',
  async () => {
    const name = 'evidence-killed';
    await startRun(name, CLICKS.killed);
    const { attempts } = await running(name);
    await sleep(25_000);
    const pod = attempts?.at(-1)?.podName ?? '';
    // A namespace with nothing but loopback makes sites show their offline page.
    expect(await inPageOf(pod, 'navigator.onLine')).toBe(true);
    const killedAt = Date.now();
    await ours('delete', 'pod', pod, '--force', '--grace-period=0');
    const ended = async (): Promise<string | undefined> => (await statusOf(name)).attempts?.[0]?.outcome;
    await vi.waitFor(async () => expect(await ended()).toBe('Infrastructure'), { timeout: 90_000, interval: 1000 });
    const store = await demoStore(forward.url, inject('s3Keys'), name);
    const rows = await rowsOf(store, /\/a1-/, 'actions.jsonl');
    // Clicks come each 0.4 s until the end: what is missing is what was lost.
    expect(killedAt - lastClick(rows)).toBeLessThan(INTERVAL_MS + 1_000);
    await kubectl(['-n', namespace, 'wait', '--for=condition=Complete', `cbr/${name}`, '--timeout=240s'], {
      limitMs: 260_000,
    });
    expect(await statusOf(name)).toMatchObject({ attempt: 2, outcome: 'Failed', evidence: 'Complete' });
  },
  480_000,
);

/** A relay that is deleted for the outage: kube-proxy would leave the connections that a mere Service change cuts off alive. */
const RELAY = `const net = require('net');
net.createServer((a) => { const b = net.connect(9000, 's3'); a.pipe(b).pipe(a); for (const s of [a, b]) s.on('error', () => { a.destroy(); b.destroy(); }); }).listen(process.env.PORT);`;

async function applyRelay(): Promise<void> {
  const image = await ours('get', 'pod', 's3', '-o', 'jsonpath={.spec.containers[0].image}');
  const server = { name: 's3-way', image, command: ['node', '-e', RELAY], port: 9000 };
  const items = serverManifests(namespace, server);
  await kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  await ours('wait', '--for=condition=Ready', 'pod/s3-way', '--timeout=60s');
}

it.concurrent(
  'a store that is unavailable for two minutes in mid-run loses nothing',
  async () => {
    const name = 'evidence-outage';
    await applyRelay();
    await startRun(name, CLICKS.outage, `http://s3-way.${namespace}.svc:9000`);
    await running(name);
    await sleep(20_000);
    await ours('delete', 'pod', 's3-way', '--force', '--grace-period=0');
    await sleep(OUTAGE_MS);
    await applyRelay();
    await kubectl(['-n', namespace, 'wait', '--for=condition=Complete', `cbr/${name}`, '--timeout=420s'], {
      limitMs: 440_000,
    });
    expect(await statusOf(name)).toMatchObject({ attempt: 1, outcome: 'Failed', evidence: 'Complete' });
    const store = await demoStore(forward.url, inject('s3Keys'), name);
    const rows = await rowsOf(store, /\/a1-/, 'actions.jsonl');
    expect(rows.filter(({ type }) => type === 'random_click').map(({ i }) => i)).toEqual(
      Array.from({ length: CLICKS.outage }, (_, i) => i),
    );
    const manifest: string[] = [];
    for await (const { key } of store.list('')) if (/\/a1-[^/]+\/manifest\.json$/.test(key)) manifest.push(key);
    expect(manifest).toHaveLength(1);
    expect(await verifyManifest(store, (manifest[0] ?? '').slice(0, -'manifest.json'.length))).toMatchObject({
      ok: true,
      problems: [],
    });
  },
  900_000,
);
