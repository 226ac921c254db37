import type { ArtifactStore } from '../benchmark/protocol/run-config.ts';
import { openDirectoryStore } from './directory.ts';
import type { ObjectStore } from './object-store.ts';
import { retryingStore } from './retrying-store.ts';

export interface OpenStoreOptions {
  /** Environment with `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`; that of the process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long a call is retried while the store is unavailable, in seconds; 20 by default. 0 for a single try. */
  readonly retrySeconds?: number;
}

/**
 * Opens the store of a run's configuration, without connecting to it. The S3 client is loaded only if it is needed, since
 * it takes a tenth of a second and 73 MB.
 * @throws StoreRefused when the S3 credentials are not in the environment
 */
export async function openStore(where: ArtifactStore, options: OpenStoreOptions = {}): Promise<ObjectStore> {
  if (where.kind === 'directory') return openDirectoryStore(where.path);
  const { openS3Store, s3Credentials } = await import('./s3.ts');
  const store = openS3Store(where.s3, s3Credentials(options.env ?? process.env));
  const deadlineMs = (options.retrySeconds ?? 20) * 1000;
  return deadlineMs > 0 ? retryingStore(store, { deadlineMs }) : store;
}
