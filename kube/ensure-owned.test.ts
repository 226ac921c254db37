import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureOwned, ForeignObject } from './ensure-owned.ts';
import { ApiUnreachable } from './errors.ts';
import { CONFIG_MAPS, type ConfigMap } from './kinds.ts';
import { ownerReference, type KubeObject, type Live } from './object.ts';
import { resource, type Resource } from './resource.ts';
import { startFaultServer, type FaultServer } from './testing/fault-server.ts';

let server: FaultServer;
let maps: Resource<ConfigMap>;
beforeEach(async () => {
  server = await startFaultServer();
  maps = resource(server.client(), CONFIG_MAPS, 'ns');
});
afterEach(() => server.close());

const batch = (uid: string): Live<KubeObject> => ({
  apiVersion: 'clawbench.io/v1alpha1',
  kind: 'ClawBenchBatch',
  metadata: { name: 'b', namespace: 'ns', uid, resourceVersion: '1', creationTimestamp: '' },
});
const child = { metadata: { name: 'b-tasks', labels: { x: 'y' } }, data: { a: '1' } };

it('creates the child with its owner', async () => {
  const { object, created } = await ensureOwned(maps, child, batch('u1'));
  expect(created).toBe(true);
  expect(object.metadata).toMatchObject({ labels: { x: 'y' }, ownerReferences: [ownerReference(batch('u1'))] });
});

it('returns the child of an earlier try, also if that try got no response', async () => {
  await ensureOwned(maps, child, batch('u1'));
  const again = await ensureOwned(maps, { ...child, data: { a: '2' } }, batch('u1'));
  expect([again.created, again.object.data]).toEqual([false, { a: '1' }]);
  server.fail('create', { kind: 'reset' });
  await expect(ensureOwned(maps, child, batch('u1'))).rejects.toBeInstanceOf(ApiUnreachable);
  expect((await maps.list()).items).toHaveLength(1);
});

it.each([
  ['nobody’s', undefined],
  ['an earlier owner’s of the same name', [ownerReference(batch('u0'))]],
  ['merely listed, not managed, under our owner', [{ ...ownerReference(batch('u1')), controller: false }]],
])('refuses an object that is %s, and leaves it alone', async (_name, ownerReferences) => {
  server.api.put('configmaps', {
    metadata: { name: 'b-tasks', namespace: 'ns', ...(ownerReferences && { ownerReferences }) },
  });
  await expect(ensureOwned(maps, child, batch('u1'))).rejects.toBeInstanceOf(ForeignObject);
  expect((await maps.get('b-tasks')).data).toBeUndefined();
});
