import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ObjectStore, StoreConflict } from './object-store.ts';

/** The tests that every store must pass. The test of each implementation calls it with a function that opens a store. */
export function objectStoreContract(name: string, open: () => Promise<ObjectStore>): void {
  describe(`${name} as an object store`, () => {
    let store: ObjectStore;
    let scratch: string;
    beforeAll(async () => {
      store = await open();
      scratch = await mkdtemp(join(tmpdir(), 'store-contract-'));
    });
    afterAll(() => rm(scratch, { recursive: true, force: true }));

    test('returns the bytes that were put, and null for a missing object', async () => {
      const bytes = new Uint8Array([0, 255, 10, 13, 0xc3, 0x28]);
      expect(await store.put('bytes/a b+c%20é.bin', bytes)).toBe(6);
      expect(new Uint8Array((await store.get('bytes/a b+c%20é.bin'))!)).toEqual(bytes);
      expect(await store.put('bytes/text', 'é')).toBe(2);
      expect(await store.get('bytes/none')).toBeNull();
      expect(await store.get('bytes')).toBeNull();
    });

    test('an empty object is an object', async () => {
      await store.put('empty/object', '');
      expect((await store.get('empty/object'))?.byteLength).toBe(0);
    });

    test('returns the beginning of an object', async () => {
      await store.put('begin/object', 'abcdef');
      expect(text(await store.get('begin/object', 4))).toBe('abcd');
      expect(text(await store.get('begin/object', 6))).toBe('abcdef');
      expect(text(await store.get('begin/object', 100))).toBe('abcdef');
      await store.put('begin/empty', '');
      expect(text(await store.get('begin/empty', 4))).toBe('');
      expect(await store.get('begin/none', 4)).toBeNull();
      expect(await store.get('begin', 4)).toBeNull();
    });

    test('overwrites an object without a condition', async () => {
      await store.put('over/key', 'one');
      await store.put('over/key', 'two');
      expect(text(await store.get('over/key'))).toBe('two');
    });

    test('a conditional write fails for an existing object and does not change it', async () => {
      await store.put('once/key', 'first', { ifNoneMatch: '*' });
      await expect(store.put('once/key', 'second', { ifNoneMatch: '*' })).rejects.toBeInstanceOf(StoreConflict);
      expect(text(await store.get('once/key'))).toBe('first');
    });

    test('exactly one of twenty concurrent conditional writes succeeds', async () => {
      const race = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) => store.put('race/key', `writer ${i}`, { ifNoneMatch: '*' })),
      );
      const winners = race.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
      expect(winners).toHaveLength(1);
      expect(text(await store.get('race/key'))).toBe(`writer ${winners[0]}`);
      for (const result of race) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreConflict);
    });

    test('puts small and large files, also conditionally', async () => {
      const path = join(scratch, 'file');
      await writeFile(path, 'small');
      expect(await store.putFile('file/small', path, { ifNoneMatch: '*' })).toBe(5);
      await expect(store.putFile('file/small', path, { ifNoneMatch: '*' })).rejects.toBeInstanceOf(StoreConflict);
      const large = Buffer.alloc(20 * 1024 * 1024 + 7, 'abcdefgh');
      await writeFile(path, large);
      expect(await store.putFile('file/large', path)).toBe(large.byteLength);
      expect(Buffer.compare((await store.get('file/large'))!, large)).toBe(0);
      await expect(store.putFile('file/large', path, { ifNoneMatch: '*' })).rejects.toBeInstanceOf(StoreConflict);
    });

    test('lists keys with a prefix in byte order with sizes', async () => {
      for (const key of ['list/b/1', 'list/a/2', 'list/a/10', 'list/a-', 'list/ab', 'lisu']) await store.put(key, key);
      expect(await all(store, 'list/')).toEqual(['list/a-', 'list/a/10', 'list/a/2', 'list/ab', 'list/b/1']);
      expect(await all(store, 'list/a')).toEqual(['list/a-', 'list/a/10', 'list/a/2', 'list/ab']);
      expect(await all(store, 'list/none/')).toEqual([]);
      for await (const entry of store.list('list/ab')) expect(entry.size).toBe(7);
    });

    test('deletes several objects, and ignores missing ones', async () => {
      await store.put('gone/a', 'a');
      await store.put('gone/b', 'b');
      await store.delete(['gone/a', 'gone/b', 'gone/never']);
      expect(await all(store, 'gone/')).toEqual([]);
      await store.delete([]);
    });

    test('refuses a key with `..` or empty parts before anything is written', async () => {
      for (const key of ['../x', '/x', 'a//b', 'a/', 'a/./b', '', 'a\u0000b'])
        await expect((async () => store.put(key, 'x'))()).rejects.toBeInstanceOf(RangeError);
    });
  });
}

async function all(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

function text(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString();
}
