import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startController, watching, type Controller } from './controller.ts';
import { CONFIG_MAPS, PODS } from './kinds.ts';
import { createKubeMetrics } from './metrics.ts';
import { keyOf } from './object.ts';
import { startReflector } from './reflector.ts';
import { resource } from './resource.ts';
import { startFaultServer, type FaultServer } from './testing/fault-server.ts';

const log = pino({ level: 'silent' });
let server: FaultServer;
let ends: (() => Promise<void>)[];
beforeEach(async () => {
  server = await startFaultServer();
  ends = [];
});
afterEach(async () => {
  for (const end of ends) await end();
  await server.close();
});
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5_000, interval: 5 });

function started(
  reconcile: (key: string) => Promise<{ requeueAfterMs?: number } | void>,
  registry = new Registry(),
): Controller {
  const client = server.client();
  const maps = startReflector(resource(client, CONFIG_MAPS), { log });
  const pods = startReflector(resource(client, PODS), { log, backoff: { baseMs: 10, capMs: 20 } });
  const controller = startController({
    name: 'maps',
    watches: [watching(maps, (map) => [keyOf(map)]), watching(pods, (pod) => [`ns/${pod.metadata.labels?.['of']}`])],
    reconcile,
    backoff: { baseMs: 5, capMs: 20 },
    log,
    metrics: createKubeMetrics(registry),
  });
  ends.push(
    () => controller.stop(),
    () => maps.stop(),
    () => pods.stop(),
  );
  return controller;
}
const putPod = (of: string): void =>
  server.api.put('pods', { metadata: { name: 'p', namespace: 'ns', labels: { of } } });

it('waits until every store is synced, then reconciles each key once', async () => {
  server.api.put('configmaps', { metadata: { name: 'a', namespace: 'ns' } });
  putPod('a');
  server.fail('list', { kind: 'none' }, { kind: 'status', code: 500 }, { kind: 'status', code: 500 });
  const keys: string[] = [];
  const controller = started((key) => Promise.resolve(void keys.push(key)));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(keys).toEqual([]);
  await controller.started;
  await eventually(() => expect(keys).toEqual(['ns/a']));
});

it('reconciles both owners of a child that moved', async () => {
  putPod('a');
  const keys: string[] = [];
  await started((key) => Promise.resolve(void keys.push(key))).started;
  await eventually(() => expect(keys).toEqual(['ns/a']));
  putPod('b');
  await eventually(() => expect(keys.toSorted()).toEqual(['ns/a', 'ns/a', 'ns/b']));
});

it('repeats a failed reconcile and one that requests it, and counts results', async () => {
  const registry = new Registry();
  let tries = 0;
  const controller = started(() => {
    tries += 1;
    if (tries === 1) return Promise.reject(new Error('no'));
    return Promise.resolve(tries === 2 ? { requeueAfterMs: 5 } : undefined);
  }, registry);
  await controller.started;
  controller.queue.add('ns/x');
  await eventually(() => expect(tries).toBe(3));
  await eventually(() => expect(controller.queue.active).toBe(0));
  const text = await registry.metrics();
  for (const result of ['success', 'error', 'requeue_after']) {
    expect(text).toContain(`controller_runtime_reconcile_total{controller="maps",result="${result}"} 1`);
  }
  expect(text).toContain('controller_runtime_reconcile_time_seconds_count{controller="maps"} 3');
});
