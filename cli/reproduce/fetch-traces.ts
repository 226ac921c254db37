import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { reproduceSlug } from '../../benchmark/reproduce/published-rows.ts';
import { CliFailure, EXIT } from '../failure.ts';

/** Dataset with upstream's published traces of its V2 rows. */
const DATASET = 'TIGER-Lab/ClawBenchV2Trace';
const BATCH = 'batch-aligned-20260520';

/**
 * Downloads the published bundles of a model with the `hf` command, which supports mirrors, tokens and resuming.
 * @returns the folder with the bundles @throws CliFailure
 */
export async function fetchTraces(model: string, into: string): Promise<string> {
  const below = `${BATCH}/${reproduceSlug(model)}`;
  const args = ['download', DATASET, '--repo-type', 'dataset', '--include', `${below}/**`, '--local-dir', into];
  const child = spawn('hf', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await once(child, 'exit').then(
    ([exit]) => exit as number | null,
    () => {
      throw new CliFailure(
        EXIT.usage,
        '--fetch requires the hf command, which is not installed; run pip install huggingface_hub',
      );
    },
  );
  if (code !== 0) throw new CliFailure(EXIT.unreachable, `hf could not download ${below} of ${DATASET}`);
  return join(into, below);
}
