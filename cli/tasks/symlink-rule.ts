import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/**
 * How far a link in somebody's suite is followed. A suite is often downloaded, and what is read ends in an archive that
 * others get: a link to ~/.ssh must not carry a key along. So a link stays in its suite, but for the one thing that
 * upstream's v1-lite is made of: the same file of the same case in a suite beside it, which is never anything else than
 * a task's own file.
 */

/** What is read; real paths. */
export interface SuiteBounds {
  /** The folder given: a suite, or one case. */
  readonly root: string;
  /** The folder that holds the cases: `root`, or the folder above when `root` is a case. */
  readonly suite: string;
}

/**
 * What is wrong with a link, as the rest of a sentence that begins with its path; null when it may be followed.
 * @param path where the link stands, below `bounds.root`.
 * @param target the real path it leads to.
 */
export async function symlinkProblem(bounds: SuiteBounds, path: string, target: string): Promise<string | null> {
  if (isBelow(bounds.root, target)) return hiddenProblem(bounds.root, target);
  if (await isOfCase(bounds, path, target)) return hiddenProblem(dirname(bounds.suite), target);
  return `is a link that leaves ${bounds.root}; copy what it leads to instead`;
}

/** Of a case beside the one given, or the twin in a suite beside this one. */
async function isOfCase({ root, suite }: SuiteBounds, path: string, target: string): Promise<boolean> {
  if (root !== suite && isBelow(suite, target)) return isCase(join(suite, first(relative(suite, target))));
  const beside = dirname(suite);
  const other = join(beside, first(relative(beside, target)));
  const place = relative(suite, path);
  return isBelow(beside, target) && target === join(other, place) && isCase(join(other, first(place)));
}

async function isCase(folder: string): Promise<boolean> {
  const found = await stat(join(folder, 'task.json')).catch(() => null);
  return found?.isFile() === true;
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function first(path: string): string {
  return path.split(sep)[0] ?? '';
}

/** What begins with a dot is no part of a suite (.git/config may hold a token), so a link does not make it one. */
function hiddenProblem(folder: string, target: string): string | null {
  const hidden = relative(folder, target)
    .split(sep)
    .some((part) => part.startsWith('.'));
  return hidden ? 'is a link to something hidden; copy what it leads to instead' : null;
}
