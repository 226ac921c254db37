import { randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { CoreV1Api, type KubeConfig } from '@kubernetes/client-node';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient, type KubeClient } from '../../kube/client.ts';
import { defaultKubeConfig } from '../../kube/credentials.ts';
import { startElector } from '../../kube/elector.ts';
import { ensureOwned, ForeignObject } from '../../kube/ensure-owned.ts';
import { isAlreadyExists, isConflict, isGone } from '../../kube/errors.ts';
import { createEventRecorder } from '../../kube/events.ts';
import { CONFIG_MAPS, EVENTS, LEASES, NAMESPACES, type ConfigMap } from '../../kube/kinds.ts';
import { startReflector } from '../../kube/reflector.ts';
import { resource, type Resource } from '../../kube/resource.ts';
import { byLabel } from '../../kube/store.ts';
import { watchEvents } from '../../kube/watch.ts';
import { systemClock } from '../../kube/clock.ts';

/** What only a real API server can show; everything else about `kube/` is in its unit tests. Needs KUBECONFIG. */
const log = pino({ level: 'silent' });
const namespace = `kube-test-${randomUUID().slice(0, 8)}`;
let client: KubeClient;
let maps: Resource<ConfigMap>;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (!process.env['KUBECONFIG'])
    throw new Error('KUBECONFIG is not set: npm run cluster -- up, then npm run cluster -- env');
  client = createClient();
  await resource(client, NAMESPACES).create({ metadata: { name: namespace } });
  maps = resource(client, CONFIG_MAPS, namespace);
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(async () => {
  await resource(client, NAMESPACES).delete(namespace);
  await client.close();
});

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 20 });
let serial = 0;
const fresh = (): string => `map-${(serial += 1)}`;

describe('writes', () => {
  it('are refused when a precondition fails, and change nothing', async () => {
    const name = fresh();
    const first = await maps.create({ metadata: { name }, data: { a: '1' } });
    expect(isAlreadyExists(await failureOf(maps.create({ metadata: { name } })))).toBe(true);
    const second = await maps.mergePatch(
      name,
      { data: { b: '2' } },
      { resourceVersion: first.metadata.resourceVersion },
    );
    expect(second.data).toEqual({ a: '1', b: '2' });

    const stale = { resourceVersion: first.metadata.resourceVersion };
    expect(isConflict(await failureOf(maps.mergePatch(name, { data: { c: '3' } }, stale)))).toBe(true);
    expect(isConflict(await failureOf(maps.replace(first)))).toBe(true);
    const otherUid = await failureOf(maps.mergePatch(name, { data: { c: '3' } }, { uid: randomUUID() }));
    expect(isConflict(otherUid)).toBe(true);
    expect(isConflict(await failureOf(maps.delete(name, { uid: randomUUID() })))).toBe(true);
    expect(isConflict(await failureOf(maps.delete(name, stale)))).toBe(true);
    expect((await maps.get(name)).data).toEqual({ a: '1', b: '2' });

    expect(await maps.delete(name, { uid: first.metadata.uid })).toBe(true);
    expect(await maps.find(name)).toBeNull();
    expect(await maps.delete(name)).toBe(false);
  });

  it('by apply own their fields only, and with a UID never hit another object', async () => {
    const name = fresh();
    const mine = { fieldManager: 'one' };
    const object = await maps.apply({ metadata: { name }, data: { a: '1', b: '1' } }, mine);
    await maps.apply({ metadata: { name }, data: { c: '1' } }, { fieldManager: 'two' });
    const applied = await maps.apply({ metadata: { name }, data: { a: '2' } }, { ...mine, uid: object.metadata.uid });
    expect(applied.data).toEqual({ a: '2', c: '1' });
    expect(
      isConflict(await failureOf(maps.apply({ metadata: { name }, data: { c: '2' } }, { ...mine, force: false }))),
    ).toBe(true);
    const other = { ...mine, uid: randomUUID() };
    expect(isConflict(await failureOf(maps.apply({ metadata: { name }, data: { a: '3' } }, other)))).toBe(true);
    expect(isConflict(await failureOf(maps.apply({ metadata: { name: fresh() } }, other)))).toBe(true);
    expect((await maps.get(name)).data).toEqual({ a: '2', c: '1' });
  });

  it('of a child find the child again, and refuse a stranger’s', async () => {
    const owner = await maps.create({ metadata: { name: fresh() } });
    const child = { metadata: { name: fresh() }, data: { a: '1' } };
    const [first, again] = [await ensureOwned(maps, child, owner), await ensureOwned(maps, child, owner)];
    expect([first.created, again.created]).toEqual([true, false]);
    expect(again.object.metadata.uid).toBe(first.object.metadata.uid);
    const other = await maps.create({ metadata: { name: fresh() } });
    expect(await failureOf(ensureOwned(maps, child, other))).toBeInstanceOf(ForeignObject);
  });
});

describe('reads', () => {
  it('list all pages by selector, and typed calls share errors and pool', async () => {
    const names = Array.from({ length: 7 }, () => `page-${fresh()}`);
    await Promise.all(names.map((name) => maps.create({ metadata: { name, labels: { list: 'yes' } } })));
    const { items } = await maps.list({ pageSize: 3, labelSelector: 'list=yes' });
    expect(items.map((item) => item.metadata.name).sort()).toEqual(names.sort());
    expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    const typed = await client.api(CoreV1Api).listNamespacedConfigMap({ namespace, labelSelector: 'list=yes' });
    expect(typed.items[0]?.metadata?.creationTimestamp).toBeInstanceOf(Date);
  });

  it('watch from a version that is long gone ends in 410', async () => {
    const watch = async (): Promise<void> => {
      const limits = { signal: AbortSignal.timeout(10_000), staleAfterMs: 9_000, connectMs: 5_000, clock: systemClock };
      for await (const _ of watchEvents(maps, { resourceVersion: '1', timeoutSeconds: 5 }, limits)) break;
    };
    const failure = await failureOf(watch());
    // A server that was just started still has version 1 in its cache; then there is nothing to show.
    if (failure !== 'no failure') expect(isGone(failure)).toBe(true);
  });
});

describe('a reflector', () => {
  it('follows creations, changes and deletions of what it selects, through watches that end', async () => {
    const reflector = startReflector(resource(client, CONFIG_MAPS), {
      log,
      labelSelector: 'watched=yes',
      indexers: { batch: byLabel('batch') },
      watchSeconds: 2,
      pageSize: 2,
    });
    ends.push(() => reflector.stop());
    await reflector.synced;
    const changes: string[] = [];
    const [one, two, hidden] = [fresh(), fresh(), fresh()];
    reflector.subscribe(({ type, object }) => changes.push(`${type} ${object.metadata.name}`));
    await maps.create({ metadata: { name: one, labels: { watched: 'yes', batch: 'b' } } });
    await maps.create({ metadata: { name: hidden } });
    await eventually(() => expect(reflector.store.byIndex('batch', 'b')).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await maps.mergePatch(one, { data: { x: 'y' } });
    await maps.create({ metadata: { name: two, labels: { watched: 'yes' } } });
    await maps.delete(one);
    const expected = [`added ${one}`, `modified ${one}`, `added ${two}`, `deleted ${one}`];
    await eventually(() => expect(changes).toEqual(expected));
    expect(reflector.store.get(`${namespace}/${two}`)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  it('notices that the network between has become a black hole', async () => {
    const hole = await startBlackHole(client.server);
    const through = createClient({ kubeConfig: () => viaLoopback(hole.port), timeoutMs: 2_000 });
    const options = { log, staleAfterMs: 1_500, listTimeoutMs: 1_000, backoff: { baseMs: 50, capMs: 200 } };
    const reflector = startReflector(resource(through, CONFIG_MAPS, namespace), options);
    ends.push(
      () => reflector.stop(),
      () => through.close(),
      () => hole.close(),
    );
    await reflector.synced;
    hole.swallow(true);
    const name = fresh();
    await maps.create({ metadata: { name } });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(reflector.store.get(`${namespace}/${name}`)).toBeUndefined();
    hole.swallow(false);
    const started = performance.now();
    await eventually(() => expect(reflector.store.get(`${namespace}/${name}`)).toBeDefined());
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});

describe('an election', () => {
  it('has one leader, who hands over when it stops', async () => {
    const leaders: string[] = [];
    const join = (identity: string): ReturnType<typeof startElector> =>
      startElector({
        client,
        namespace,
        name: 'lock',
        identity,
        retryMs: 200,
        onLeading: () => leaders.push(identity),
        onLost: (reason) => leaders.push(`${identity} lost: ${reason}`),
        log,
      });
    const [a, b] = [join('a'), join('b')];
    ends.push(
      () => a.stop(),
      () => b.stop(),
    );
    await eventually(() => expect(leaders).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(leaders).toHaveLength(1);
    const [leader, other] = a.isLeader() ? [a, b] : [b, a];
    expect([leader.isLeader(), other.isLeader()]).toEqual([true, false]);
    await leader.stop();
    await eventually(() => expect(other.isLeader()).toBe(true));
    expect(leaders).toEqual([leader.identity, other.identity]);
    const lease = await resource(client, LEASES, namespace).get('lock');
    expect(lease.spec).toMatchObject({ holderIdentity: other.identity, leaseTransitions: 1 });
  });
});

describe('events', () => {
  it('are accepted and counted', async () => {
    const recorder = createEventRecorder({ client, component: 'kube-test', log });
    const object = await maps.create({ metadata: { name: fresh() } });
    recorder.event(object, 'Normal', 'Tested', 'Once.');
    recorder.event(object, 'Normal', 'Tested', 'Once.');
    await recorder.flush();
    const { items } = await resource(client, EVENTS, namespace).list({
      fieldSelector: `involvedObject.uid=${object.metadata.uid}`,
    });
    expect(items.map((event) => [event.reason, event.count])).toEqual([['Tested', 2]]);
  });
});

interface BlackHole {
  readonly port: number;
  /** Swallows every byte both ways; connections stay open, new ones are accepted. */
  swallow(on: boolean): void;
  close(): Promise<void>;
}

async function startBlackHole(target: string): Promise<BlackHole> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let swallowing = false;
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    // What was swallowed once is a hole in the stream for good: the connection can never speak again.
    let dead = swallowing;
    const relay = (to: Socket) => (bytes: Buffer) => {
      dead ||= swallowing;
      if (!dead) to.write(bytes);
    };
    near.on('data', relay(far));
    far.on('data', relay(near));
    for (const [socket, peer] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        peer.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow: (on) => (swallowing = on),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The cluster's credentials at another address, which its certificate need not name. */
function viaLoopback(port: number): KubeConfig {
  const kubeConfig = defaultKubeConfig();
  const { caData: _data, caFile: _file, ...cluster } = kubeConfig.getCurrentCluster() ?? { name: '', server: '' };
  const changed = { ...cluster, server: `https://127.0.0.1:${port}`, skipTLSVerify: true };
  kubeConfig.clusters = kubeConfig.clusters.map((other) => (other.name === cluster.name ? changed : other));
  return kubeConfig;
}
