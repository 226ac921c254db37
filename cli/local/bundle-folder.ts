import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAttemptName } from '../../benchmark/protocol/names.ts';
import { RUN_PREFIX } from './session-config.ts';

export interface BundleFolder {
  /** Where the bundle will lie. */
  readonly bundle: string;
  /** The recorder's store during the session, inside `bundle`: the same file system, so the end is a rename. */
  readonly store: string;
}

/** Where bundles go without `--out`: each into a folder of its own. */
const DEFAULT_OUT = 'clawbench-local';

/**
 * `--out DIR` becomes the bundle itself. A DIR that holds something already keeps it: the bundle is then a folder with
 * the time in its name inside it, so that a command can be repeated without losing evidence.
 */
export async function prepareBundleFolder(out: string | undefined, now: Date): Promise<BundleFolder> {
  const full = resolve(out ?? DEFAULT_OUT);
  await mkdir(full, { recursive: true });
  const stamp = now.toISOString().replace(/[-:]/g, '').replace(/\..*/, '');
  const empty = out !== undefined && (await readdir(full)).length === 0;
  const bundle = empty ? full : await mkdtemp(join(full, `${stamp}-`));
  const store = join(bundle, '.session');
  await mkdir(store, { recursive: true });
  return { bundle, store };
}

/** Moves the attempt's files to the top of the bundle. Whatever was stored is kept, complete or not. */
export async function collectBundle({ bundle, store }: BundleFolder): Promise<void> {
  const run = join(store, RUN_PREFIX);
  for (const attempt of (await readdir(run).catch(() => [])).filter(isAttemptName)) {
    for (const name of await readdir(join(run, attempt))) await rename(join(run, attempt, name), join(bundle, name));
  }
  await rm(store, { recursive: true, force: true });
}
