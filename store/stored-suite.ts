import type { S3Location } from '../benchmark/protocol/run-config.ts';
import type { SuiteFile } from '../benchmark/task/suite.ts';
import type { ObjectStore } from './object-store.ts';
import { openStore } from './open.ts';
import { readSuiteArchive, SuiteArchiveError } from './suite-archive.ts';

/**
 * A suite that is too large for a ConfigMap: one archive in the bucket of the evidence. Its key counts from the bucket's
 * root, since many batches with prefixes of their own share it.
 * @throws SuiteArchiveError when there is none, or it is none; StoreRefused, StoreUnavailable.
 */
export async function readSuiteOfBucket(bucket: S3Location, key: string): Promise<readonly SuiteFile[]> {
  return readStoredSuite(await openStore({ kind: 's3', s3: { ...bucket, prefix: '' } }), key);
}

/** The same from an open store. */
export async function readStoredSuite(store: ObjectStore, key: string): Promise<readonly SuiteFile[]> {
  const archive = await store.get(key);
  if (archive === null) throw new SuiteArchiveError(`there is no object ${key} in ${store.describe}`);
  return readSuiteArchive(archive);
}
