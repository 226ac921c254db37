import { describe, expect, it } from 'vitest';
import { conditionText, editBatchSpec, play, batchStatus } from './play.fixture.ts';

describe('a batch that has started, whose spec a newer operator would not accept', () => {
  const SPECS = [
    { harnesses: [{ name: 'null', env: [{ name: 'CLAWBENCH_X', value: '1' }] }] },
    { podTemplate: { spec: { hostNetwork: true } } },
    { queueName: 'q' },
  ];
  it.each(SPECS)('%j: continues, is judged and completes', async (spec) => {
    const end = await play({
      event: (world, turn) => turn === 8 && editBatchSpec(world, spec),
    });
    expect(conditionText(end.world, 'Accepted')).toMatch(/^True Prepared/);
    expect(conditionText(end.world, 'Complete')).toMatch(/^True AllRunsClosed/);
  });

  it.each(SPECS)('%j: stays complete', async (spec) => {
    const end = await play({});
    editBatchSpec(end.world, spec);
    await end.playTurns(5);
    expect(conditionText(end.world, 'Accepted')).toMatch(/^True Prepared/);
    expect(conditionText(end.world, 'Complete')).toMatch(/^True AllRunsClosed/);
  });

  it('a change of its own that is rejected lets no further run start, and what runs is judged', async () => {
    const seen: string[] = [];
    const end = await play({
      event: (world, turn) => {
        if (turn === 5) editBatchSpec(world, { limits: [] });
        if (turn === 40) seen.push(conditionText(world, 'Accepted'), String(batchStatus(world).counts?.passed));
        if (turn === 40) editBatchSpec(world, { limits: undefined });
      },
    });
    expect(seen).toEqual([expect.stringMatching(/^False UnsupportedField: spec\.limits/), '2']);
    expect(conditionText(end.world, 'Accepted')).toMatch(/^True Prepared/);
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Passed/JudgedMatch']));
  });
});
