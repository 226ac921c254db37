import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the Jobs' pods mount the models Secrets; agents and judge may use two different ones. */
export const MODELS_DIR = process.env['CLAWBENCH_MODELS_DIR'] ?? '/models';
export const JUDGE_MODELS_DIR = process.env['CLAWBENCH_JUDGE_MODELS_DIR'] ?? '/judge-models';

/** A mounted file's text; null when the Secret or the key does not exist (the mounts are optional, so that `prepare` can report it). */
export async function readMounted(directory: string, key: string): Promise<string | null> {
  try {
    return await readFile(join(directory, key), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
