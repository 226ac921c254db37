import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import pLimit from 'p-limit';
import type { S3Keys } from '../e2e-cluster/namespace.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { openStore } from '../../store/open.ts';
import { verifyManifest } from '../../store/verify-manifest.ts';

/** Requests to the store at a time. */
const atOnce = pLimit(8);

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
  const reports = await atOnce.map(prefixes, (prefix) => verifyManifest(store, prefix));
  return {
    bundles: prefixes.length,
    bytes: reports.reduce((sum, report) => sum + report.bytes, 0),
    problems: reports.flatMap((report) => report.problems),
  };
}

/** Copies everything below the store's prefix to a folder, which is how upstream's tools read it. */
export async function pullTo(store: ObjectStore, directory: string): Promise<number> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  const written = await atOnce.map(keys, (key) => pullOne(store, key, directory));
  return written.filter(Boolean).length;
}

async function pullOne(store: ObjectStore, key: string, directory: string): Promise<boolean> {
  const path = join(directory, key);
  if (!path.startsWith(directory + sep)) throw new Error(`the store holds a key that leaves the folder: ${key}`);
  const bytes = await store.get(key);
  if (bytes === null) return false;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  return true;
}
