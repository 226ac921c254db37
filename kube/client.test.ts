import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from './client.ts';
import {
  ApiError,
  ApiUnreachable,
  isAlreadyExists,
  isConflict,
  isNamespaceTerminating,
  isNotFound,
  isTransient,
} from './errors.ts';
import { CONFIG_MAPS } from './kinds.ts';
import { createKubeMetrics } from './metrics.ts';
import { resource } from './resource.ts';
import { plainConfig, startFaultServer, type FaultServer } from './testing/fault-server.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const maps = (timeoutMs = 3_000) => resource(server.client({ timeoutMs }), CONFIG_MAPS, 'ns');

describe('the client', () => {
  it('makes a hundred calls, typed ones too, over few connections', async () => {
    server.api.put('configmaps', { metadata: { name: 'a', namespace: 'ns' } });
    const client = server.client();
    const typed = client.api(CoreV1Api);
    for (let index = 0; index < 50; index += 1) {
      await resource(client, CONFIG_MAPS, 'ns').get('a');
      await typed.readNamespacedConfigMap({ name: 'a', namespace: 'ns' });
    }
    // A body may be read to its end a moment before its connection is free again.
    expect(server.connections).toBeLessThanOrEqual(3);
  });

  it('opens no more connections than allowed', async () => {
    const client = server.client({ connections: 3 });
    await Promise.all(Array.from({ length: 30 }, () => resource(client, CONFIG_MAPS).list()));
    expect(server.connections).toBeLessThanOrEqual(3);
  });

  it('gives typed calls real dates and the same errors', async () => {
    server.api.put('configmaps', { metadata: { name: 'a', namespace: 'ns' } });
    const typed = server.client().api(CoreV1Api);
    const object = await typed.readNamespacedConfigMap({ name: 'a', namespace: 'ns' });
    expect(object.metadata?.creationTimestamp).toEqual(new Date('2030-01-01T00:00:00Z'));
    const error = await failureOf(typed.readNamespacedConfigMap({ name: 'b', namespace: 'ns' }));
    expect(isNotFound(error)).toBe(true);
  });

  it.each(['silence', 'loris'] as const)('gives up on %s after the time limit', async (kind) => {
    server.fail('get', { kind });
    const started = performance.now();
    const error = await failureOf(maps(100).get('a'));
    expect(error).toBeInstanceOf(ApiUnreachable);
    expect((error as ApiUnreachable).timedOut).toBe(true);
    expect(isTransient(error)).toBe(true);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('ends with the caller’s own reason when the caller aborts', async () => {
    server.fail('get', { kind: 'silence' });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('shutting down')), 20);
    await expect(maps().get('a', { signal: controller.signal })).rejects.toThrow('shutting down');
  });

  it('reports a response that is not JSON', async () => {
    server.fail('get', { kind: 'html' });
    await expect(maps().get('a')).rejects.toThrow('GET /api/v1/namespaces/ns/configmaps/a: the response is not JSON');
  });

  it('counts requests by code, method and host', async () => {
    const registry = new Registry();
    const client = server.client({ metrics: createKubeMetrics(registry) });
    await failureOf(resource(client, CONFIG_MAPS, 'ns').get('a'));
    server.fail('get', { kind: 'reset' });
    await failureOf(resource(client, CONFIG_MAPS, 'ns').get('a', { retries: 0 }));
    const host = new URL(server.url).host;
    const text = await registry.metrics();
    expect(text).toContain(`rest_client_requests_total{code="404",method="GET",host="${host}"} 1`);
    expect(text).toContain(`rest_client_requests_total{code="<error>",method="GET",host="${host}"} 1`);
  });
});

describe('retries', () => {
  const object = { metadata: { name: 'a' } };
  it('waits as long as a 429 asks, for writes too, since they were not executed', async () => {
    server.fail('create', { kind: 'status', code: 429, retryAfter: '1' });
    const started = performance.now();
    await maps().create(object);
    expect(performance.now() - started).toBeGreaterThanOrEqual(950);
  });
  it('gives a 429 to the caller when waiting would exceed the limit', async () => {
    server.fail('create', { kind: 'status', code: 429, retryAfter: '2' });
    const error = await failureOf(maps(500).create(object));
    expect([(error as ApiError).status, (error as ApiError).retryAfterMs]).toEqual([429, 2_000]);
  });
  it('repeats a GET after a reset, but never a write that may have been executed', async () => {
    server.fail('get', { kind: 'reset' });
    expect(isNotFound(await failureOf(maps().get('a')))).toBe(true);
    server.fail('create', { kind: 'reset' });
    expect(await failureOf(maps().create(object))).toBeInstanceOf(ApiUnreachable);
    expect(server.seen.filter((request) => request.verb === 'create')).toHaveLength(1);
  });
  it('does not repeat a 500 that asks for nothing', async () => {
    server.fail('get', { kind: 'status', code: 500 });
    expect(await failureOf(maps().get('a'))).toMatchObject({ status: 500, reason: 'Fault' });
  });
  it('reports a refused connection', async () => {
    const client = createClient({ kubeConfig: () => plainConfig('http://127.0.0.1:1'), timeoutMs: 300 });
    expect(await failureOf(resource(client, CONFIG_MAPS).list())).toBeInstanceOf(ApiUnreachable);
    await client.close();
  });
});

describe('verbs', () => {
  it('returns null for a missing object, and false when it is deleted', async () => {
    expect(await maps().find('a')).toBeNull();
    expect(await maps().delete('a')).toBe(false);
  });
  it('fills in apiVersion and kind, and writes into the object’s namespace when the resource has none', async () => {
    await resource(server.client(), CONFIG_MAPS).create({ metadata: { name: 'a', namespace: 'other' } });
    const { path, body } = server.seen[0] ?? { path: '', body: '{}' };
    expect(path).toBe('/api/v1/namespaces/other/configmaps');
    expect(JSON.parse(body)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });
  it('puts preconditions into merge patches and deletes', async () => {
    const object = await maps().create({ metadata: { name: 'a' } });
    await maps().mergePatch('a', { data: { x: 'y' } }, { resourceVersion: '7', fieldManager: 'me' });
    const patch = server.seen.at(-1);
    expect(patch?.headers['content-type']).toBe('application/merge-patch+json');
    expect(patch?.query.get('fieldManager')).toBe('me');
    expect(JSON.parse(patch?.body ?? '')).toEqual({ data: { x: 'y' }, metadata: { resourceVersion: '7' } });
    expect(isConflict(await failureOf(maps().delete('a', { uid: 'another' })))).toBe(true);
    expect(await maps().delete('a', { uid: object.metadata.uid })).toBe(true);
    expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toMatchObject({ propagationPolicy: 'Background' });
  });
  it('applies with manager, force and UID to a subresource', async () => {
    server.api.put('configmaps', { metadata: { name: 'a', namespace: 'ns' } });
    await maps().apply({ metadata: { name: 'a' } }, { fieldManager: 'judge', subresource: 'status', uid: 'u' });
    const seen = server.seen.at(-1);
    expect(seen?.path).toBe('/api/v1/namespaces/ns/configmaps/a/status');
    expect(seen?.headers['content-type']).toBe('application/apply-patch+yaml');
    expect(Object.fromEntries(seen?.query ?? [])).toEqual({ fieldManager: 'judge', force: 'true' });
    expect(JSON.parse(seen?.body ?? '')).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a', uid: 'u' } });
  });
  it('starts one unpaged list when a continue token has expired', async () => {
    for (const name of ['a', 'b', 'c']) server.api.put('configmaps', { metadata: { name, namespace: 'ns' } });
    server.fail('list', { kind: 'none' }, { kind: 'status', code: 410, reason: 'Expired' });
    expect((await maps().list({ pageSize: 2 })).items).toHaveLength(3);
    expect(server.seen.map((request) => request.query.get('limit'))).toEqual(['2', '2', null]);
  });
  it('distinguishes AlreadyExists from Conflict', async () => {
    const object = await maps().create({ metadata: { name: 'a' } });
    const exists = await failureOf(maps().create({ metadata: { name: 'a' } }));
    expect([isAlreadyExists(exists), isConflict(exists)]).toEqual([true, false]);
    await maps().replace(object);
    const stale = await failureOf(maps().replace(object));
    expect([isAlreadyExists(stale), isConflict(stale)]).toEqual([false, true]);
  });
});

describe('kinds of 403', () => {
  const forbidden = (message: string, causes: { reason: string }[] = []): ApiError =>
    new ApiError({ status: 403, reason: 'Forbidden', message, method: 'POST', path: '/', causes });
  it('distinguishes a terminating namespace from an exceeded quota and a missing permission', () => {
    expect(isNamespaceTerminating(forbidden('pods "x" is forbidden: exceeded quota: q'))).toBe(false);
    expect(isNamespaceTerminating(forbidden('User "x" cannot create pods'))).toBe(false);
    expect(isNamespaceTerminating(forbidden('…', [{ reason: 'NamespaceTerminating' }]))).toBe(true);
  });
});

describe('credentials', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'kube-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const authorization = (): (string | undefined)[] => server.seen.map((request) => request.headers.authorization);

  it('reloads credentials after a 401, once', async () => {
    let loads = 0;
    const client = server.client({ kubeConfig: () => plainConfig(server.url, { token: `token-${(loads += 1)}` }) });
    server.fail('list', { kind: 'status', code: 401 });
    await resource(client, CONFIG_MAPS).list();
    expect(authorization()).toEqual(['Bearer token-1', 'Bearer token-2']);
    server.fail('list', { kind: 'status', code: 401 }, { kind: 'status', code: 401 });
    expect(await failureOf(resource(client, CONFIG_MAPS).list())).toMatchObject({ status: 401 });
  });

  it('runs an exec plugin once for a burst of calls', async () => {
    const log = join(directory, 'runs');
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'T' },
    };
    const script = `echo run >> ${log}; echo '${JSON.stringify(credential)}'`;
    const client = server.client({
      kubeConfig: () => {
        const kubeConfig = plainConfig(server.url);
        const exec = { apiVersion: credential.apiVersion, command: 'sh', args: ['-c', script] };
        kubeConfig.users = [{ name: 'me', exec }];
        return kubeConfig;
      },
    });
    await Promise.all(Array.from({ length: 10 }, () => resource(client, CONFIG_MAPS).list()));
    expect(new Set(authorization())).toEqual(new Set(['Bearer T']));
    expect(readFileSync(log, 'utf8')).toBe('run\n');
  });

  it('follows a rotated in-cluster token within a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const tokenFile = join(directory, 'token');
      writeFileSync(tokenFile, 'one');
      const client = server.client({
        kubeConfig: () => {
          const kubeConfig = plainConfig(server.url);
          kubeConfig.users = [{ name: 'me', authProvider: { name: 'tokenFile', config: { tokenFile } } }];
          return kubeConfig;
        },
      });
      await resource(client, CONFIG_MAPS).list();
      writeFileSync(tokenFile, 'two');
      vi.advanceTimersByTime(62_000);
      await resource(client, CONFIG_MAPS).list();
      expect(authorization()).toEqual(['Bearer one', 'Bearer two']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('refuses a configuration without a cluster, and says what to set', () => {
    expect(() => createClient({ kubeConfig: () => new KubeConfig() })).toThrow('set KUBECONFIG');
  });
});
