import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { LARGEST_JSON } from '../../judging/bundle/json-object.ts';
import { staysInside } from './confined-folder.ts';
import type { BundleLocation } from './open-bundle-location.ts';

/** A folder with a run-meta: one run that counts. */
export interface FoundBundle {
  /** Key prefix with trailing slash; '' when the place itself is the run. */
  readonly prefix: string;
  /** Why it is not read: a file far beyond anything a recorder writes, or a link out of the place. Null: it is. */
  readonly problem: string | null;
}

const WATCHED = ['run-meta.json', 'data/interception.json'] as const;
/** Deeper than any layout; a tree that goes on is somebody's mistake. */
const MAX_DEPTH = 24;

/**
 * Every run below a place, in the order upstream lists them: by path, part by part. Links to folders are not followed,
 * so a loop of links is harmless, and a run's own folders are not searched: its pictures are most of a tree.
 */
export async function findBundles(place: BundleLocation): Promise<readonly FoundBundle[]> {
  const { folder } = place;
  const sizes = folder === null ? await sizesInStore(place) : sizesInFolder(folder);
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

/** Synchronously: a tree of 1,000 bundles is read in 30 ms, through the thread pool in ten times that. */
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

/** A folder that may not be read has no runs for us. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What is missing, or a link that leads nowhere, is found out by whoever reads it. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** A link out of the place is not read (`confined-folder.ts`); a run with one is no run that a recorder wrote. */
function leaving(folder: string | null, prefix: string): string | null {
  if (folder === null) return null;
  const file = WATCHED.find((name) => !staysInside(folder, join(folder, prefix, name)));
  return file === undefined ? null : `${file} is a link that leaves ${folder}`;
}

function tooLarge(files: ReadonlyMap<string, number>): string | null {
  const large = [...files].find(([, size]) => size > LARGEST_JSON);
  if (large === undefined) return null;
  return `${large[0]} has ${String(Math.round(large[1] / 1e6))} MB, which no recorder writes`;
}

/** As Python sorts paths: part by part, each by code points. */
function byPath(left: FoundBundle, right: FoundBundle): number {
  const [a, b] = [left.prefix.split('/'), right.prefix.split('/')];
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part !== other) return Buffer.compare(Buffer.from(part), Buffer.from(other));
  }
  return a.length - b.length;
}
