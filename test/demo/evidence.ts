import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { S3Keys } from '../bed/namespace.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { openStore } from '../../store/open.ts';
import { verifyManifest } from '../../store/verify-manifest.ts';

/** The demo's store, through a forwarded port. */
export function demoStore(endpoint: string, keys: S3Keys, prefix: string): Promise<ObjectStore> {
  const s3 = { endpoint, bucket: 'traces', prefix, region: 'us-east-1', forcePathStyle: true };
  const env = { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey };
  return openStore({ kind: 's3', s3 }, { env, retrySeconds: 20 });
}

export interface Verified {
  readonly bundles: number;
  readonly bytes: number;
  readonly problems: readonly string[];
}

/** Verifies the manifest of every run that counts, reading every object again. */
export async function verifyBundles(store: ObjectStore): Promise<Verified> {
  const prefixes: string[] = [];
  for await (const { key } of store.list(''))
    if (key.endsWith('/run-meta.json')) prefixes.push(key.slice(0, -'run-meta.json'.length));
  const problems: string[] = [];
  let bytes = 0;
  for (const prefix of prefixes) {
    const report = await verifyManifest(store, prefix);
    bytes += report.bytes;
    problems.push(...report.problems);
  }
  return { bundles: prefixes.length, bytes, problems };
}

/** Copies everything below the store's prefix to a folder, which is how upstream's tools read it. */
export async function pullTo(store: ObjectStore, directory: string): Promise<number> {
  let files = 0;
  for await (const { key } of store.list('')) {
    const path = join(directory, key);
    if (!path.startsWith(directory + sep)) throw new Error(`the store holds a key that leaves the folder: ${key}`);
    const bytes = await store.get(key);
    if (bytes === null) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    files += 1;
  }
  return files;
}
