import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { openRegularFile } from '../../sidecar/evidence/open-regular-file.ts';
import { symlinkProblem, type SuiteBounds } from './symlink-rule.ts';

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

/** The suite is larger than any; reading ends there, whoever collects problems. */
class SuiteFolderTooLarge extends SuiteFolderError {}

/** Files and folders. Links can double the folders at each step without any circle. */
const MAX_ENTRIES = 20_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Told of what cannot be read; the reader then goes on without it. Without such a function the first problem is thrown. */
type OnProblem = (problem: SuiteFolderError) => void;

/**
 * Files of a suite folder, of one case, or of one flat task file. Symbolic links are followed as far as `link-rule.ts`
 * says.
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

interface Place {
  /** Below the real root; links after that are not resolved. */
  readonly path: string;
  /** The same as the user wrote it, for sentences. */
  readonly shown: string;
}

/** @param ancestors real paths of the folders on the way down: a link to one of them would never end. */
async function walk(state: Walk, folder: Place, ancestors: readonly string[]): Promise<void> {
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

async function visit(state: Walk, place: Place, ancestors: readonly string[]): Promise<void> {
  const target = await resolved(place.path, place.shown);
  const problem = await symlinkProblem(state.bounds, place.path, target);
  if (problem !== null) throw new SuiteFolderError(place.shown, problem);
  if (ancestors.includes(target))
    throw new SuiteFolderError(place.shown, 'is a link that leads back to itself; remove it');
  if (++state.entries > MAX_ENTRIES)
    throw new SuiteFolderTooLarge(state.bounds.root, `has more than ${String(MAX_ENTRIES)} files and folders`);
  const info = await stat(target);
  if (info.isDirectory()) await walk(state, place, [...ancestors, target]);
  else if (info.isFile()) await readOne(state, place, target);
}

/** Reads what the link was resolved to, not the link once more: it may have been turned since. */
async function readOne(state: Walk, { path, shown }: Place, target: string): Promise<void> {
  const file = await openRegularFile(target);
  if (file === null) throw new SuiteFolderError(shown, 'cannot be read');
  try {
    if ((await file.stat()).size > MAX_FILE_BYTES)
      throw new SuiteFolderError(shown, 'is larger than 8 MiB; suites hold small files');
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
    if (code === 'ELOOP') throw new SuiteFolderError(shown, 'is a link that leads back to itself; remove it');
    throw new SuiteFolderError(shown, code === 'EACCES' ? 'cannot be read (EACCES)' : 'does not exist');
  }
}
