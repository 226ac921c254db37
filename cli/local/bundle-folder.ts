import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAttemptName } from '../../benchmark/protocol/names.ts';
import { RUN_PREFIX } from './session-config.ts';

export interface BundleFolder {
  /** Folder of the bundle. */
  readonly bundle: string;
  /** The recorder's store during the session. It is inside `bundle`, so that files can be renamed into it at the end. */
  readonly store: string;
}

/** Folder for bundles without `--out`; each gets a subfolder. */
const DEFAULT_OUT = 'clawbench-local';

/**
 * Creates the folders of a bundle. An empty or new `--out DIR` becomes the bundle itself. In a DIR with files, the bundle
 * is a subfolder with the time in its name, so that a command can be repeated without losing evidence.
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

/** Moves the files of the attempt into the bundle folder, whether they are complete or not. */
export async function collectBundle({ bundle, store }: BundleFolder): Promise<void> {
  const run = join(store, RUN_PREFIX);
  for (const attempt of (await readdir(run).catch(() => [])).filter(isAttemptName)) {
    for (const name of await readdir(join(run, attempt))) await rename(join(run, attempt, name), join(bundle, name));
  }
  await rm(store, { recursive: true, force: true });
}
