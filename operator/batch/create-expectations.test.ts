import { expect, it } from 'vitest';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import { World } from '../testing/world.fixture.ts';
import { aLiveBatch } from './batch.fixture.ts';
import { createBatchMemories, expectCreates, pendingCreates } from './create-expectations.ts';
import { createBatchReconciler } from './reconcile.ts';

const run = (name: string): Live<Run> => ({ metadata: { name } }) as Live<Run>;

it('a run is not created twice before the cache shows it, and is created again if it was deleted unseen', () => {
  const memory = createBatchMemories().of('bench/nightly', aLiveBatch());
  expectCreates(memory, [{ name: 'a' }, { name: 'b' }], 1000);
  expect([...pendingCreates(memory, [], 2000)]).toEqual(['a', 'b']);
  expect([...pendingCreates(memory, [run('a')], 3000)]).toEqual(['b']);
  expect([...pendingCreates(memory, [], 31_000)]).toEqual([]);
});

it('the memory of a batch is deleted with it, and a new batch with its name starts empty', async () => {
  const world = new World();
  const deps = world.deps();
  const memories = createBatchMemories();
  const reconcile = createBatchReconciler(deps, memories);
  for (let life = 1; life <= 3; life += 1) {
    const batch = aLiveBatch();
    world.put('clawbenchbatches', {
      ...batch,
      metadata: { ...batch.metadata, uid: `life-${String(life)}` },
    });
    await reconcile('bench/nightly');
    expect(deps.admitted.size).toBe(1);
    world.remove('clawbenchbatches', 'nightly');
    await reconcile('bench/nightly');
    expect([memories.size, deps.admitted.size]).toEqual([0, 0]);
    for (const job of world.stores.jobs.list()) world.remove('jobs', job.metadata.name);
    world.now += 60_000;
  }
});
