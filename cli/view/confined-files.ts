import type { FileHandle } from 'node:fs/promises';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject, parseJson } from '../../benchmark/text/json.ts';
import { openRegularFile } from '../../sidecar/evidence/open-regular-file.ts';
import { isInside } from '../is-inside.ts';
import type { JsonRecord } from './fields.ts';

/** Files that make a folder a bundle. */
export const META_FILES = ['run-meta.json', 'attempt-meta.json'] as const;

/** Refused path parts: empty, hidden, `..`, and characters that file systems interpret differently. */
const BAD_NAME = /^$|^\.|[\\/\u0000-\u001f]/;

/**
 * The real path of a file or folder inside `root`. Bundles come from elsewhere, so a symbolic link in one may point
 * anywhere.
 * @param root a real path
 * @param relative names separated by `/`; empty for the root itself
 * @returns null if it does not exist or is not inside the root
 */
export async function resolveInside(root: string, relative: string): Promise<string | null> {
  const names = relative === '' ? [] : relative.split('/');
  if (names.some((name) => BAD_NAME.test(name))) return null;
  const real = await realpath(join(root, ...names)).catch(() => null);
  return real !== null && isInside(root, real) ? real : null;
}

/** Opens a regular file inside `root`; null if there is none. The caller closes it. */
export async function openInside(root: string, relative: string): Promise<FileHandle | null> {
  const real = await resolveInside(root, relative);
  return real === null ? null : openRegularFile(real);
}

/** Opens a file of a bundle inside `root`. Other files in DIR are not served. */
export async function openBundleFile(root: string, relative: string): Promise<FileHandle | null> {
  const real = await resolveInside(root, relative);
  if (real === null) return null;
  for (let folder = dirname(real); isInside(root, folder); folder = dirname(folder)) {
    if (await isBundle(folder)) return openRegularFile(real);
    if (folder === root) break;
  }
  return null;
}

async function isBundle(folder: string): Promise<boolean> {
  for (const name of META_FILES) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isFile() === true) return true;
  }
  return false;
}

/** Reads a JSON object of at most `cap` bytes; null if the file is missing, larger or not an object. */
export async function readObject(root: string, relative: string, cap: number): Promise<JsonRecord | null> {
  const file = await openInside(root, relative);
  if (file === null) return null;
  try {
    if ((await file.stat()).size > cap) return null;
    const parsed = parseJson(await file.readFile('utf8'));
    return parsed.ok && isObject(parsed.value) ? parsed.value : null;
  } finally {
    await file.close();
  }
}
