import { describe, expect, it } from 'vitest';
import { batchSpec } from './batch.ts';
import type { ClawBenchBatch } from './batch.ts';
import { runBlocks, blocksOf } from './run-blocks.ts';
import { runSpec } from './run.ts';
import type { ClawBenchRun } from './run.ts';
import { aBatch, aRun, batchRun, fullBatch, leastRun } from './samples.fixture.ts';

const stored = <T>(manifest: object, spec: unknown): T => ({ ...manifest, spec }) as T;

describe("the blocks that shape a run's Pod", () => {
  it('come from the batch for a run of a batch', () => {
    const batch = stored<ClawBenchBatch>(aBatch(fullBatch()), batchSpec.parse(fullBatch()));
    const run = stored<ClawBenchRun>(aRun(batchRun()), runSpec.parse(batchRun()));
    expect(blocksOf(run, batch)).toMatchObject({ deadlines: { idleSeconds: 200 }, browser: { isolation: 'DoorOnly' } });
  });

  it('come from the run itself, with defaults, when it was made by hand', () => {
    const spec = { ...leastRun(), deadlines: { idleSeconds: 7 } };
    const run = stored<ClawBenchRun>(aRun(spec), runSpec.parse(spec));
    expect(blocksOf(run, null)).toEqual(runBlocks.parse({ deadlines: { idleSeconds: 7 } }));
  });
});
