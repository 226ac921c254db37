import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ObjectStore } from '../../store/object-store.ts';
import { isInside } from '../is-inside.ts';
import { readFirst } from '../../store/read-first-bytes.ts';

/** A symbolic link in a folder of bundles has a target outside it. */
export class LeavesFolder extends Error {
  override readonly name = 'LeavesFolder';
  constructor(path: string, root: string) {
    super(`${path} is a symbolic link to a target outside ${root}; replace it with a copy of the target`);
  }
}

/**
 * A folder of bundles as a store that reads nothing outside the folder: bundles come from elsewhere, and what is read is
 * sent to the provider of the judge. Links to the outside, pipes and devices count as missing; writing through such a link
 * is refused. Reads are synchronous for the same reason as in the directory store (docs/decisions/004).
 * @param root a real path
 */
export function confinedFolder(store: ObjectStore, root: string): ObjectStore {
  return {
    ...store,
    get: (key, first) => new Promise((resolve) => resolve(readInside(root, key, first))),
    put: (key, body, options) => {
      const path = join(root, key);
      return isInside(root, firstExisting(dirname(path)))
        ? store.put(key, body, options)
        : Promise.reject(new LeavesFolder(path, root));
    },
  };
}

/** Whether a path inside the root is still inside it after all links are resolved; true if it does not exist. */
export function staysInside(root: string, path: string): boolean {
  const real = realPath(path);
  return real === null || isInside(root, real);
}

function readInside(root: string, key: string, first: number | undefined): Uint8Array | null {
  const real = realPath(join(root, key));
  if (real === null || !isInside(root, real)) return null;
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) return null;
    return first === undefined ? readFileSync(file) : readFirst(file, first);
  } finally {
    closeSync(file);
  }
}

function firstExisting(path: string): string {
  return realPath(path) ?? firstExisting(dirname(path));
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
