import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { LARGEST_JSON } from '../../judging/bundle/stored-json.ts';
import { staysInside } from './confined-folder.ts';
import type { BundleLocation } from './open-bundle-location.ts';

/** A folder with a run-meta.json: one run that counts. */
export interface FoundBundle {
  /** Key prefix with a trailing slash; '' if the location itself is the run. */
  readonly prefix: string;
  /** Why it is not read: a file far larger than any a recorder writes, or a link to the outside. Null if it is read. */
  readonly problem: string | null;
}

const WATCHED = ['run-meta.json', 'data/interception.json'] as const;
/** Deeper than any known layout. */
const MAX_DEPTH = 24;

/**
 * Every run at a location, in upstream's order: by path, part by part. Links to folders are not followed, so cycles of
 * links are harmless. The folders inside a run are not searched, since most files of a tree are screenshots.
 */
export async function findBundles(location: BundleLocation): Promise<readonly FoundBundle[]> {
  const { folder } = location;
  const sizes = folder === null ? await sizesInStore(location) : sizesInFolder(folder);
  return [...sizes]
    .map(([prefix, files]) => ({ prefix, problem: leaving(folder, prefix) ?? tooLarge(files) }))
    .sort(byPath);
}

type Sizes = Map<string, Map<string, number>>;

async function sizesInStore({ store }: BundleLocation): Promise<Sizes> {
  const all: Sizes = new Map();
  for await (const { key, size } of store.list('')) {
    const file = WATCHED.find((name) => key === name || key.endsWith(`/${name}`));
    if (file !== undefined) note(all, key.slice(0, -file.length), file, size);
  }
  return new Map([...all].filter(([, files]) => files.has('run-meta.json')));
}

function note(all: Sizes, prefix: string, file: string, size: number): void {
  const files = all.get(prefix) ?? new Map<string, number>();
  files.set(file, size);
  all.set(prefix, files);
}

/** Synchronous: 1,000 bundles take 30 ms this way, and ten times that through the thread pool. */
function sizesInFolder(root: string): Sizes {
  const all: Sizes = new Map();
  const waiting = [{ path: '', depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, depth } = next;
    const entries = entriesOf(join(root, path));
    if (entries.some((entry) => entry.name === 'run-meta.json')) {
      for (const file of WATCHED) {
        note(all, path, file, sizeOf(join(root, path, file)));
      }
    } else if (depth < MAX_DEPTH) {
      const folders = entries.filter((entry) => entry.isDirectory());
      waiting.push(...folders.map((entry) => ({ path: `${path}${entry.name}/`, depth: depth + 1 })));
    }
  }
  return all;
}

/** A folder that cannot be read counts as empty. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** 0 for a file that is missing; reading it reports the error. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** Links to the outside are not read (`confined-folder.ts`); the recorder never writes one. */
function leaving(folder: string | null, prefix: string): string | null {
  if (folder === null) return null;
  const file = WATCHED.find((name) => !staysInside(folder, join(folder, prefix, name)));
  return file === undefined ? null : `${file} is a symbolic link to a target outside ${folder}`;
}

function tooLarge(files: ReadonlyMap<string, number>): string | null {
  const large = [...files].find(([, size]) => size > LARGEST_JSON);
  if (large === undefined) return null;
  return `${large[0]} has ${String(Math.round(large[1] / 1e6))} MB, far more than a recorder writes`;
}

/** Sorts like Python's pathlib: part by part, each by code points. */
function byPath(left: FoundBundle, right: FoundBundle): number {
  const [a, b] = [left.prefix.split('/'), right.prefix.split('/')];
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part !== other) return Buffer.compare(Buffer.from(part), Buffer.from(other));
  }
  return a.length - b.length;
}
