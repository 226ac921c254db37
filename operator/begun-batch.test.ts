import { describe, expect, it } from 'vitest';
import type { ClawBenchBatchStatus } from '../crds/status/batch-status.ts';
import type { KubeObject } from '../kube/object.ts';
import { play } from './play.fixture.ts';
import type { World } from './world.fixture.ts';

const statusOf = (world: World): ClawBenchBatchStatus =>
  world.stores.clawbenchbatches.get('bench/nightly')?.status ?? {};
const condition = (world: World, type: string): string => {
  const found = statusOf(world).conditions?.find((one) => one.type === type);
  return found === undefined ? 'absent' : `${found.status} ${found.reason}: ${found.message}`;
};
const edit = (world: World, spec: object): void => {
  const batch = world.stores.clawbenchbatches.get('bench/nightly');
  if (batch === undefined) return;
  const metadata = { ...batch.metadata, generation: (batch.metadata.generation ?? 0) + 1 };
  world.put('clawbenchbatches', { ...batch, metadata, spec: { ...batch.spec, ...spec } } as KubeObject);
};

describe('a batch that has begun, whose spec a newer operator would not accept', () => {
  const SPECS = [
    { harnesses: [{ name: 'null', env: [{ name: 'CLAWBENCH_X', value: '1' }] }] },
    { podTemplate: { spec: { hostNetwork: true } } },
    { queueName: 'q' },
  ];
  it.each(SPECS)('%j: goes on, is judged and closed', async (spec) => {
    const end = await play({
      event: (world, turn) => turn === 8 && edit(world, spec),
    });
    expect(condition(end.world, 'Accepted')).toMatch(/^True Prepared/);
    expect(condition(end.world, 'Complete')).toMatch(/^True AllRunsClosed/);
  });

  it.each(SPECS)('%j: stays complete', async (spec) => {
    const end = await play({});
    edit(end.world, spec);
    await end.look(5);
    expect(condition(end.world, 'Accepted')).toMatch(/^True Prepared/);
    expect(condition(end.world, 'Complete')).toMatch(/^True AllRunsClosed/);
  });

  it('a change of its own that is refused lets nothing more begin, and what runs is judged', async () => {
    const seen: string[] = [];
    const end = await play({
      event: (world, turn) => {
        if (turn === 5) edit(world, { limits: [] });
        if (turn === 40) seen.push(condition(world, 'Accepted'), String(statusOf(world).counts?.passed));
        if (turn === 40) edit(world, { limits: undefined });
      },
    });
    expect(seen).toEqual([expect.stringMatching(/^False UnsupportedField: spec\.limits/), '2']);
    expect(condition(end.world, 'Accepted')).toMatch(/^True Prepared/);
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Passed/JudgedMatch']));
  });
});
