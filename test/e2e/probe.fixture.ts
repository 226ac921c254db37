import { expect } from 'vitest';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { kubectl } from '../e2e-cluster/commands.ts';
import { serverManifests } from '../e2e-cluster/namespace.ts';
import { aBatch } from './batch-file.ts';

/** Shared by the tests of models and mail: runs of the harness `probe` (images/harness-probe) and their evidence. */

/** The commit that the task of {@link probeRun} waits for, as steps. */
export const ORDER = [
  { goto: 'http://papermill.demo.test/' },
  { eval: "fetch('/api/orders', {method: 'POST', body: '{}'}).catch(() => 'blocked')" },
] as const;

export interface ProbeRun {
  readonly name: string;
  readonly steps: readonly object[];
  readonly task?: object;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly harness?: Readonly<Record<string, unknown>>;
}

/** A standalone run without a judge: it passes if its request is intercepted. */
export function probeRun(namespace: string, run: ProbeRun): object {
  const { spec } = aBatch(namespace, run.name);
  const task = {
    instruction: 'Order something.',
    eval_schema: { url_pattern: 'papermill\\.demo\\.test/api/orders$', method: 'POST' },
    time_limit: 5,
    ...run.task,
  };
  return {
    apiVersion: 'claw-bench.com/v1alpha1',
    kind: 'ClawBenchRun',
    metadata: { name: run.name, namespace },
    spec: {
      suite: { name: 'demo' },
      task: { inline: task },
      model: 'no-model',
      harness: { name: 'probe', ...run.harness, env: [{ name: 'PROBE_STEPS', value: JSON.stringify(run.steps) }] },
      network: spec.network,
      artifacts: spec.artifacts,
      podTemplate: spec.podTemplate,
      retry: { infrastructureLimit: 0 },
      ...run.spec,
    },
  };
}

export const applyAll = (items: readonly object[]): Promise<string> =>
  kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  });

/** A server of the demo's image beside the others, ready. */
export async function startServer(
  namespace: string,
  server: { name: string; program: string; port: number; env: readonly { name: string; value: string }[] },
): Promise<void> {
  const { name, program, port, env } = server;
  const image = await kubectl(['-n', namespace, 'get', 'pod', 's3', '-o', 'jsonpath={.spec.containers[0].image}']);
  await applyAll(serverManifests(namespace, { name, image, command: ['node', `/app/${program}`], port, env }));
  await kubectl(['-n', namespace, 'wait', '--for=condition=Ready', `pod/${name}`, '--timeout=60s']);
}

export async function runStatus(namespace: string, name: string): Promise<ClawBenchRunStatus> {
  const text = await kubectl(['-n', namespace, 'get', 'cbr', name, '-o', 'json']);
  return (JSON.parse(text) as { status?: ClawBenchRunStatus }).status ?? {};
}

export async function completed(namespace: string, name: string): Promise<ClawBenchRunStatus> {
  await kubectl(['-n', namespace, 'wait', '--for=condition=Complete', `cbr/${name}`, '--timeout=240s'], {
    limitMs: 260_000,
  });
  return runStatus(namespace, name);
}

/** Every object of a store, by key. */
export async function objectsOf(store: ObjectStore): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>();
  for await (const { key } of store.list(''))
    all.set(key, Buffer.from((await store.get(key)) ?? '').toString('latin1'));
  expect(all.size).toBeGreaterThan(0);
  return all;
}

/** The only object whose key ends so. */
export function objectAt(objects: ReadonlyMap<string, string>, end: string): string {
  const found = [...objects].filter(([key]) => key.endsWith(end));
  expect(found.map(([key]) => key)).toHaveLength(1);
  return found[0]?.[1] ?? '';
}

/** Rows of a JSONL object. */
export function rowsAt(objects: ReadonlyMap<string, string>, end: string): Record<string, unknown>[] {
  const lines = objectAt(objects, end).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}
