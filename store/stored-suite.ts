import type { S3Location } from '../benchmark/protocol/run-config.ts';
import type { SuiteFile } from '../benchmark/task/suite.ts';
import type { ObjectStore } from './object-store.ts';
import { openStore } from './open.ts';
import { readSuiteArchive, SuiteArchiveError } from './suite-archive.ts';

/**
 * Reads a suite that is too large for a ConfigMap from its archive in the bucket of the evidence. The key is relative to
 * the root of the bucket, since batches with different prefixes share the suite.
 * @throws SuiteArchiveError when the archive does not exist or is invalid; StoreRefused, StoreUnavailable
 */
export async function readSuiteOfBucket(bucket: S3Location, key: string): Promise<readonly SuiteFile[]> {
  return readStoredSuite(await openStore({ kind: 's3', s3: { ...bucket, prefix: '' } }), key);
}

/** Reads a suite archive from an open store. */
export async function readStoredSuite(store: ObjectStore, key: string): Promise<readonly SuiteFile[]> {
  const archive = await store.get(key);
  if (archive === null) throw new SuiteArchiveError(`the suite archive ${key} does not exist in ${store.describe}`);
  return readSuiteArchive(archive);
}
