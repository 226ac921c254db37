import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { SuiteFile } from '../../benchmark/suite.ts';

/** A folder cannot be taken as a suite; one sentence with the path. */
export class SuiteFolderError extends Error {
  override readonly name = 'SuiteFolderError';
  readonly path: string;
  /** The sentence without the path before it. */
  readonly problem: string;
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Told of what cannot be read; the reader then goes on without it. Without such a function the first problem is thrown. */
type OnProblem = (problem: SuiteFolderError) => void;

/**
 * Files of a suite folder, or of one flat task file. Symbolic links are followed, since upstream's v1-lite is made of
 * them, but only as far as the folder that holds the suites: a link to /etc must not end in a ConfigMap.
 * @throws SuiteFolderError
 */
export async function readSuiteFolder(path: string, onProblem?: OnProblem): Promise<readonly SuiteFile[]> {
  const root = await resolved(path, path);
  const files: SuiteFile[] = [];
  const info = await stat(root);
  const oneCase = info.isDirectory() && (await readdir(root)).includes('task.json');
  // The files of a case of v1-lite are links two folders up; those of a whole suite one.
  const state = { root, allowed: oneCase ? dirname(dirname(root)) : dirname(root), files, onProblem };
  if (info.isDirectory()) await walk(state, root, [root]);
  else if (info.isFile()) await readOne(state, { path, name: basename(path), size: info.size });
  else throw new SuiteFolderError(path, 'is neither a file nor a folder');
  return files;
}

interface Walk {
  readonly root: string;
  readonly allowed: string;
  readonly files: SuiteFile[];
  readonly onProblem: OnProblem | undefined;
}

/** @param ancestors real paths of the folders on the way down: a link to one of them would never end. */
async function walk(state: Walk, directory: string, ancestors: readonly string[]): Promise<void> {
  for (const name of (await readdir(directory)).toSorted()) {
    if (name.startsWith('.')) continue;
    try {
      await visit(state, join(directory, name), ancestors);
    } catch (error) {
      if (!(error instanceof SuiteFolderError) || state.onProblem === undefined) throw error;
      state.onProblem(error);
    }
  }
}

async function visit(state: Walk, path: string, ancestors: readonly string[]): Promise<void> {
  const target = await resolved(path, path);
  if (target !== state.root && !target.startsWith(state.allowed + sep))
    throw new SuiteFolderError(path, `is a link that leaves ${state.allowed}; copy the file instead`);
  if (ancestors.includes(target)) throw new SuiteFolderError(path, 'is a link that leads back to itself; remove it');
  const info = await stat(target);
  if (info.isDirectory()) await walk(state, path, [...ancestors, target]);
  else if (info.isFile()) {
    const name = relative(state.root, path).split(sep).join('/');
    await readOne(state, { path, name, size: info.size });
  }
}

async function readOne(state: Walk, file: { path: string; name: string; size: number }): Promise<void> {
  if (file.size > MAX_FILE_BYTES)
    throw new SuiteFolderError(file.path, 'is larger than 8 MiB; suites hold small files');
  if (state.files.length >= MAX_FILES) throw new SuiteFolderError(state.root, `has more than ${MAX_FILES} files`);
  const bytes = await readFile(file.path).catch((error: unknown) => {
    throw new SuiteFolderError(file.path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  });
  state.files.push({ path: file.name, bytes });
}

async function resolved(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw new SuiteFolderError(shown, 'is a link that leads back to itself; remove it');
    throw new SuiteFolderError(shown, code === 'EACCES' ? 'cannot be read (EACCES)' : 'does not exist');
  }
}
