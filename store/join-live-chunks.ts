import { createHash } from 'node:crypto';
import { StoreConflict, type ObjectStore } from './object-store.ts';

/**
 * Recovers the evidence of an attempt that died: joins its chunks `live/<file>/<seq>` to `data/<file>`, and writes a
 * manifest with `complete: false`. Chunks are deleted last, so it can be called again after a failure.
 * @param prefix `<run>/a<attempt>/`
 * @returns the paths that were joined
 */
export async function joinLiveChunks(store: ObjectStore, prefix: string): Promise<readonly string[]> {
  const chunks = new Map<string, string[]>();
  for await (const { key } of store.list(`${prefix}live/`)) {
    const file = key.slice(`${prefix}live/`.length).replace(/\/\d+$/, '');
    chunks.set(file, [...(chunks.get(file) ?? []), key]);
  }
  for (const [file, keys] of chunks) await joinOne(store, `${prefix}data/${file}`, keys);
  await writePartialManifest(store, prefix);
  await store.delete([...chunks.values()].flat());
  return [...chunks.keys()];
}

async function joinOne(store: ObjectStore, target: string, keys: readonly string[]): Promise<void> {
  const parts: Uint8Array[] = [];
  for (const key of keys.toSorted()) parts.push((await store.get(key)) ?? new Uint8Array());
  await store.put(target, Buffer.concat(parts));
}

async function writePartialManifest(store: ObjectStore, prefix: string): Promise<void> {
  const files: { path: string; size: number; sha256: string }[] = [];
  for await (const { key, size } of store.list(`${prefix}data/`)) {
    const bytes = (await store.get(key)) ?? new Uint8Array();
    files.push({ path: key.slice(prefix.length), size, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  const notes = ['the attempt died; this is what had been uploaded'];
  const manifest = { schema: 1, complete: false, created: new Date().toISOString(), files, notes };
  try {
    await store.put(`${prefix}manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`, { ifNoneMatch: '*' });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
  }
}
