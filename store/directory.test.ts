import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDirectoryStore } from './directory.ts';
import { objectStoreContract } from './object-store.contract.ts';

const root = await mkdtemp(join(tmpdir(), 'store-directory-'));
afterAll(() => rm(root, { recursive: true, force: true }));

objectStoreContract('a directory', () => Promise.resolve(openDirectoryStore(join(root, 'contract'))));

test('deleting the last object leaves no empty directory and no unfinished file', async () => {
  const store = openDirectoryStore(join(root, 'clean'));
  await store.put('a/b/c', 'x');
  await store.put('a/b/c', 'y', { ifNoneMatch: '*' }).catch(() => undefined);
  expect(await readdir(join(root, 'clean/a/b'))).toEqual(['c']);
  await store.delete(['a/b/c']);
  expect(await readdir(join(root, 'clean'))).toEqual([]);
});
