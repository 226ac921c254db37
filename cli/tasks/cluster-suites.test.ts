import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiCall, KubeClient } from '../../kube/client.ts';
import { ApiError } from '../../kube/errors.ts';
import type { ConfigMap } from '../../kube/kinds.ts';
import { listClusterSuites, NoSuchSuite, readClusterSuite } from './cluster-suites.ts';
import { NotASuite, pushSuite } from './push.ts';

const TASK = Buffer.from('{"instruction":"do","eval_schema":{"url_pattern":"^x","method":"POST"},"time_limit":30}');
const files = [{ path: '001-a/task.json', bytes: TASK }];
/** Access to `hidden` is forbidden. */
const NAMESPACES = ['bench', 'hidden'];

/** ConfigMaps of one namespace by name. */
let maps: Map<string, ConfigMap>;
let deleted: unknown[];

function fail(call: ApiCall, status: number): never {
  throw new ApiError({ status, reason: 'Test', message: 'test', method: call.method, path: call.path });
}

function onNamespace(call: ApiCall, name: string): object {
  return name === 'bench' ? {} : fail(call, name === 'hidden' ? 403 : 404);
}

function onMaps(call: ApiCall, namespace: string): object {
  if (call.method !== 'POST') return { metadata: { resourceVersion: '1' }, items: [...maps.values()] };
  if (!NAMESPACES.includes(namespace)) return fail(call, 404);
  const made = call.body as ConfigMap;
  maps.set(made.metadata.name, made);
  return made;
}

function onMap(call: ApiCall, name: string): object {
  const found = maps.get(name) ?? fail(call, 404);
  if (call.method !== 'DELETE') return found;
  deleted.push(call.body);
  maps.delete(name);
  return found;
}

function client(): KubeClient {
  const request = (call: ApiCall): object => {
    const [namespace = '', plural, name] = call.path.replace('/api/v1/namespaces/', '').split('/');
    if (plural === undefined) return onNamespace(call, namespace);
    return name === undefined ? onMaps(call, namespace) : onMap(call, name);
  };
  return { request: (call: ApiCall) => Promise.resolve().then(() => request(call)) } as unknown as KubeClient;
}

beforeEach(() => {
  maps = new Map();
  deleted = [];
});

const map = (metadata: object): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 's', uid: 'u1', resourceVersion: '7', ...metadata },
});
const labels = { 'app.kubernetes.io/name': 'clawbench', 'app.kubernetes.io/component': 'suite' };

describe('push', () => {
  it('replaces a suite, and only the one that it has read', async () => {
    await pushSuite(client(), 'bench', 's', files);
    maps.set('s', { ...map({ labels }), binaryData: {} });
    await pushSuite(client(), 'bench', 's', files);
    expect(maps.get('s')?.binaryData).toHaveProperty(['suite.tar.gz']);
    expect(deleted).toEqual([expect.objectContaining({ preconditions: { uid: 'u1', resourceVersion: '7' } })]);
  });

  it.each([
    ['settings of a user', {}],
    ['a task list of the operator', { labels: { ...labels, 'app.kubernetes.io/component': 'tasks' } }],
    ['a suite with another owner', { labels, ownerReferences: [{ kind: 'Kustomization', name: 'apps' }] }],
    ['an object of another program', { labels: { ...labels, 'app.kubernetes.io/name': 'other' } }],
  ])('does not change %s', async (_, metadata) => {
    maps.set('s', map(metadata));
    await expect(pushSuite(client(), 'bench', 's', files)).rejects.toThrow(NotASuite);
    await expect(pushSuite(client(), 'bench', 's', files)).rejects.toThrow(/ConfigMap "s" .* use a different --name/);
    expect(deleted).toEqual([]);
  });
});

describe('a namespace that does not exist is reported', () => {
  const gone = /namespace "gone" does not exist in the cluster/;
  it('by each verb', async () => {
    await expect(listClusterSuites(client(), 'gone')).rejects.toThrow(gone);
    await expect(listClusterSuites(client(), 'gone')).rejects.toThrow(NoSuchSuite);
    await expect(readClusterSuite(client(), 'gone', 's')).rejects.toThrow(gone);
    await expect(pushSuite(client(), 'gone', 's', files)).rejects.toThrow(gone);
  });

  it('an empty or forbidden namespace has no suites', async () => {
    expect(await listClusterSuites(client(), 'bench')).toEqual([]);
    expect(await listClusterSuites(client(), 'hidden')).toEqual([]);
    await expect(readClusterSuite(client(), 'bench', 's')).rejects.toThrow(
      /nor a suite in the cluster: ConfigMap "s" does not exist in namespace "bench"/,
    );
  });
});
