import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { openRegularFile } from '../../sidecar/evidence/open-regular-file.ts';
import { symlinkProblem, type SuiteBounds } from './symlink-rule.ts';

/** A path cannot be read as a suite. The message begins with the path. */
export class SuiteFolderError extends Error {
  override readonly name = 'SuiteFolderError';
  readonly path: string;
  /** The message without the path. */
  readonly problem: string;
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

/** The folder has too many files to be a suite. Always thrown, even if the caller collects problems. */
class SuiteFolderTooLarge extends SuiteFolderError {}

/** Maximum number of files and folders. Links can double the folders at each level without a cycle. */
const MAX_ENTRIES = 20_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Called for each file that cannot be read, which is then skipped. Without it, the first problem is thrown. */
type OnProblem = (problem: SuiteFolderError) => void;

/**
 * Files of a suite folder, of one case, or of one flat task file. `symlink-rule.ts` decides which symbolic links are
 * followed.
 * @throws SuiteFolderError
 */
export async function readSuiteFolder(path: string, onProblem?: OnProblem): Promise<readonly SuiteFile[]> {
  const target = await resolved(path);
  const info = await stat(target);
  if (!info.isDirectory() && !info.isFile()) throw new SuiteFolderError(path, 'is neither a file nor a folder');
  const root = info.isDirectory() ? target : await resolved(dirname(resolve(path)));
  const isCase = (await namesIn(root)).includes('task.json');
  const state = { bounds: { root, suite: isCase ? dirname(root) : root }, files: [], entries: 0, onProblem };
  if (info.isDirectory()) await walk(state, { path: root, shown: path }, [root]);
  else await visit(state, { path: join(root, basename(path)), shown: path }, [root]);
  return state.files;
}

interface Walk {
  readonly bounds: SuiteBounds;
  readonly files: SuiteFile[];
  entries: number;
  readonly onProblem: OnProblem | undefined;
}

interface Entry {
  /** Path inside the real root, with links unresolved. */
  readonly path: string;
  /** The same path as the user wrote it, for messages. */
  readonly shown: string;
}

/** @param ancestors real paths of the parent folders; a link to one of them would never end */
async function walk(state: Walk, folder: Entry, ancestors: readonly string[]): Promise<void> {
  for (const name of (await namesIn(folder.path, folder.shown)).toSorted()) {
    if (name.startsWith('.')) continue;
    try {
      await visit(state, { path: join(folder.path, name), shown: join(folder.shown, name) }, ancestors);
    } catch (error) {
      const isOneOfMany = error instanceof SuiteFolderError && !(error instanceof SuiteFolderTooLarge);
      if (!isOneOfMany || state.onProblem === undefined) throw error;
      state.onProblem(error);
    }
  }
}

async function visit(state: Walk, entry: Entry, ancestors: readonly string[]): Promise<void> {
  const target = await resolved(entry.path, entry.shown);
  const problem = await symlinkProblem(state.bounds, entry.path, target);
  if (problem !== null) throw new SuiteFolderError(entry.shown, problem);
  if (ancestors.includes(target))
    throw new SuiteFolderError(entry.shown, 'is a symbolic link to itself or to one of its parent folders; remove it');
  if (++state.entries > MAX_ENTRIES)
    throw new SuiteFolderTooLarge(state.bounds.root, `has more than ${String(MAX_ENTRIES)} files and folders`);
  const info = await stat(target);
  if (info.isDirectory()) await walk(state, entry, [...ancestors, target]);
  else if (info.isFile()) await readFileOf(state, entry, target);
}

/** Reads the resolved target instead of the link, which may have been changed in the meantime. */
async function readFileOf(state: Walk, { path, shown }: Entry, target: string): Promise<void> {
  const file = await openRegularFile(target);
  if (file === null) throw new SuiteFolderError(shown, 'cannot be read');
  try {
    if ((await file.stat()).size > MAX_FILE_BYTES)
      throw new SuiteFolderError(shown, 'is larger than 8 MiB; files of a suite must be smaller');
    const name = relative(state.bounds.root, path).split(sep).join('/');
    state.files.push({ path: name, bytes: await file.readFile() });
  } finally {
    await file.close();
  }
}

async function namesIn(folder: string, shown = folder): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    throw new SuiteFolderError(shown, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  });
}

async function resolved(path: string, shown = path): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP')
      throw new SuiteFolderError(shown, 'is a symbolic link to itself or to one of its parent folders; remove it');
    throw new SuiteFolderError(shown, code === 'EACCES' ? 'cannot be read (EACCES)' : 'does not exist');
  }
}
