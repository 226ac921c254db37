import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isInside } from '../is-inside.ts';

/**
 * Which symbolic links in a suite are followed. Suites are often downloaded, and what is read ends up in an archive that
 * others get, so a link to ~/.ssh must not add a key to it. A link must therefore stay in its suite. The one exception is
 * what upstream's v1-lite consists of: links to the same file of the same case in a sibling suite.
 */

/** The folders that are read, as real paths. */
export interface SuiteBounds {
  /** The given folder: a suite or a case. */
  readonly root: string;
  /** The folder that holds the cases: `root`, or its parent if `root` is a case. */
  readonly suite: string;
}

/**
 * Why a link must not be followed, as the rest of a sentence that begins with its path; null if it may be followed.
 * @param path path of the link, inside `bounds.root`
 * @param target real path of its target
 */
export async function symlinkProblem(bounds: SuiteBounds, path: string, target: string): Promise<string | null> {
  if (isInside(bounds.root, target)) return hiddenProblem(bounds.root, target);
  if (await isOfCase(bounds, path, target)) return hiddenProblem(dirname(bounds.suite), target);
  return `is a symbolic link to a target outside ${bounds.root}; replace it with a copy of the target`;
}

/** Whether the target belongs to a sibling case, or to the same case in a sibling suite. */
async function isOfCase({ root, suite }: SuiteBounds, path: string, target: string): Promise<boolean> {
  if (root !== suite && isInside(suite, target)) return isCase(join(suite, first(relative(suite, target))));
  const beside = dirname(suite);
  const other = join(beside, first(relative(beside, target)));
  const place = relative(suite, path);
  return isInside(beside, target) && target === join(other, place) && isCase(join(other, first(place)));
}

async function isCase(folder: string): Promise<boolean> {
  const found = await stat(join(folder, 'task.json')).catch(() => null);
  return found?.isFile() === true;
}

function first(path: string): string {
  return path.split(sep)[0] ?? '';
}

/** Hidden files are not part of a suite (.git/config may contain a token), and a link does not change that. */
function hiddenProblem(folder: string, target: string): string | null {
  const hidden = relative(folder, target)
    .split(sep)
    .some((part) => part.startsWith('.'));
  return hidden ? 'is a symbolic link to a hidden file; replace it with a copy of the target' : null;
}
