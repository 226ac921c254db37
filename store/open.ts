import type { ArtifactStore } from '../benchmark/protocol/run-config.ts';
import { openDirectoryStore } from './directory.ts';
import type { ObjectStore } from './object-store.ts';
import { retryingStore } from './retrying-store.ts';

export interface OpenStoreOptions {
  /** Where `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` are read from; the process's by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long one call keeps trying while the store is unreachable, in seconds; 20 by default. 0: one try. */
  readonly retrySeconds?: number;
}

/**
 * Opens the store that a run's configuration names. Nothing is contacted yet. The S3 client is loaded only when it is
 * needed: it costs a tenth of a second and 73 MB, which a local session should not pay.
 * @throws StoreRefused when the S3 credentials are not in the environment.
 */
export async function openStore(where: ArtifactStore, options: OpenStoreOptions = {}): Promise<ObjectStore> {
  if (where.kind === 'directory') return openDirectoryStore(where.path);
  const { openS3Store, s3Credentials } = await import('./s3.ts');
  const store = openS3Store(where.s3, s3Credentials(options.env ?? process.env));
  const deadlineMs = (options.retrySeconds ?? 20) * 1000;
  return deadlineMs > 0 ? retryingStore(store, { deadlineMs }) : store;
}
