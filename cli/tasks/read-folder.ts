import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { SuiteFile } from '../../benchmark/suite.ts';

/** A folder cannot be taken as a suite; one sentence with the path. */
export class SuiteFolderError extends Error {
  override readonly name = 'SuiteFolderError';
}

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * Files of a suite folder, or of one flat task file. Symbolic links are followed, since upstream's v1-lite is made of
 * them, but only as far as the folder that holds the suites: a link to /etc must not end in a ConfigMap.
 * @throws SuiteFolderError
 */
export async function readSuiteFolder(path: string): Promise<readonly SuiteFile[]> {
  const root = await realpath(path).catch(() => {
    throw new SuiteFolderError(`${path} does not exist`);
  });
  if ((await stat(root)).isFile()) return [{ path: basename(path), bytes: await readFile(root) }];
  const files: SuiteFile[] = [];
  await walk({ root, allowed: dirname(root), files }, root, 0);
  return files;
}

interface Walk {
  readonly root: string;
  readonly allowed: string;
  readonly files: SuiteFile[];
}

async function walk(state: Walk, directory: string, depth: number): Promise<void> {
  if (depth > 8) throw new SuiteFolderError(`${directory} is nested too deeply, or a link leads back to itself`);
  for (const name of (await readdir(directory)).toSorted()) {
    if (name.startsWith('.')) continue;
    const path = join(directory, name);
    const target = await realpath(path).catch(() => {
      throw new SuiteFolderError(`${path} is a link to something that does not exist`);
    });
    if (target !== path && !target.startsWith(state.allowed + sep)) {
      throw new SuiteFolderError(`${path} is a link that leaves ${state.allowed}`);
    }
    const info = await stat(target);
    if (info.isDirectory()) await walk(state, path, depth + 1);
    else if (info.isFile()) state.files.push(await readOne(state, path, info.size));
  }
}

async function readOne(state: Walk, path: string, size: number): Promise<SuiteFile> {
  if (size > MAX_FILE_BYTES) throw new SuiteFolderError(`${path} is larger than 8 MiB`);
  if (state.files.length >= MAX_FILES) throw new SuiteFolderError(`${state.root} has more than ${MAX_FILES} files`);
  return { path: relative(state.root, path).split(sep).join('/'), bytes: await readFile(path) };
}
