import { randomUUID } from 'node:crypto';
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { checkKey, compareKeys } from './key.ts';
import { type ObjectStore, type PutOptions, StoreConflict } from './object-store.ts';
import { readFirst } from './read-first-bytes.ts';

/** Temporary file names of incomplete objects, which readers skip. */
const UNFINISHED = /^\.unfinished-[0-9a-f]{16}$/;

/**
 * A directory as a store. Every object appears complete: it is written to a temporary file and then renamed or, for a
 * conditional write, linked, which fails if the name exists, so that exactly one writer wins.
 */
export function openDirectoryStore(root: string): ObjectStore {
  const path = (key: string): string => join(root, ...checkKey(key).split('/'));
  return {
    describe: root.endsWith(sep) ? root : root + sep,
    put: async (key, body, options) => {
      const size = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
      if (size <= SMALL_BYTES) placeSmall(path(key), key, options, body);
      else await place(path(key), key, options, (temporary) => writeFile(temporary, body));
      return size;
    },
    putFile: async (key, file, options) => {
      let size = 0;
      await place(path(key), key, options, async (temporary) => {
        await copyFile(file, temporary);
        size = (await stat(temporary)).size;
      });
      return size;
    },
    get: (key, first) => new Promise((resolve) => resolve(readFrom(path(key), first))),
    list: (prefix) => listDirectory(root, prefix),
    delete: async (keys) => {
      for (const key of keys) await remove(root, path(key));
    },
  };
}

/**
 * Files up to this size are written, and all files are read, in the calling thread: handing a small file to the thread
 * pool costs more than the file itself. It was half of the CPU time of judging 1,000 bundles (docs/decisions/004).
 */
const SMALL_BYTES = 64 * 1024;

function unfinishedName(): string {
  return `.unfinished-${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

function readFrom(path: string, first: number | undefined): Uint8Array | null {
  try {
    return first === undefined ? readFileSync(path) : readBeginning(path, first);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function readBeginning(path: string, first: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    return readFirst(file, first);
  } finally {
    closeSync(file);
  }
}

function placeSmall(target: string, key: string, options: PutOptions | undefined, body: Uint8Array | string): void {
  options?.signal?.throwIfAborted();
  const temporary = join(dirname(target), unfinishedName());
  try {
    writeSmall(temporary, body);
    if (options?.ifNoneMatch !== '*') return renameSync(temporary, target);
    linkSync(temporary, target);
    unlinkSync(temporary);
  } catch (error) {
    rmSync(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new StoreConflict(key);
    throw error;
  }
}

function writeSmall(temporary: string, body: Uint8Array | string): void {
  try {
    writeFileSync(temporary, body);
  } catch (error) {
    if (!isMissing(error)) throw error;
    mkdirSync(dirname(temporary), { recursive: true });
    writeFileSync(temporary, body);
  }
}

async function place(
  target: string,
  key: string,
  options: PutOptions | undefined,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  options?.signal?.throwIfAborted();
  const temporary = join(dirname(target), unfinishedName());
  // A concurrent delete may remove the empty directory between these two calls, so create it again, once.
  await mkdir(dirname(target), { recursive: true });
  await write(temporary).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(target), { recursive: true });
    await write(temporary);
  });
  try {
    if (options?.ifNoneMatch === '*') await link(temporary, target);
    else await rename(temporary, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new StoreConflict(key);
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function* listDirectory(root: string, prefix: string): AsyncGenerator<{ key: string; size: number }> {
  // Only complete directories of the prefix narrow the search; its last part may be the beginning of a name.
  const base = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const entries = await readdir(join(root, base), { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const keys = entries
    .filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, sep).length).split(sep).join('/'))
    .filter((key) => key.startsWith(prefix))
    .sort(compareKeys);
  for (const key of keys) {
    const found = await stat(join(root, key)).catch(() => null);
    if (found) yield { key, size: found.size };
  }
}

async function remove(root: string, file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  // S3 has no empty directories, so remove them here, too.
  for (let directory = dirname(file); directory.startsWith(join(root, sep)); directory = dirname(directory)) {
    const emptied = await rmdir(directory).then(
      () => true,
      () => false,
    );
    if (!emptied) return;
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
