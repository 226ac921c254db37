import { z } from 'zod';
import type { ClawBenchBatch } from './batch.ts';
import { browser } from './blocks/browser.ts';
import { deadlines, retry } from './blocks/limits.ts';
import { mail, network } from './blocks/network.ts';
import { podTemplate } from './blocks/pod-template.ts';
import type { ClawBenchRun } from './run.ts';

/** The blocks that shape a run's Pod, whoever carries them. */
export const runBlocks = z.object({
  browser: browser.prefault({}),
  network: network.prefault({}),
  mail: mail.prefault({}),
  retry: retry.prefault({}),
  deadlines: deadlines.prefault({}),
  podTemplate: podTemplate.prefault({}),
});
export type RunBlocks = z.infer<typeof runBlocks>;

/**
 * The blocks of a run with every default filled: from its batch, or from the run itself when it was made by hand. The
 * API server cannot fill them on runs: a default would appear in a run of a batch too and contradict the batch.
 * @param batch the batch of `run.spec.batchRef`, or null for a run made by hand.
 */
export const blocksOf = (run: ClawBenchRun, batch: ClawBenchBatch | null): RunBlocks =>
  runBlocks.parse(batch === null ? run.spec : batch.spec);
