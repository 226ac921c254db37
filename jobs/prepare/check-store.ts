import { isAttemptName } from '../../benchmark/protocol/names.ts';
import { openStore } from '../../store/open.ts';
import { StoreConflict, StoreRefused, type ObjectStore } from '../../store/object-store.ts';
import { probeFailure, probeStore } from '../../store/probe.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { BatchRefusal } from './refusal.ts';

/** Opens the batch's store and proves that it supports what a run needs. @throws BatchRefusal */
export async function checkStore(job: JobConfig): Promise<ObjectStore> {
  const { s3 } = job.spec.artifacts;
  const { secretRef: _secret, ...where } = s3;
  try {
    const store = await openStore({ kind: 's3', s3: where });
    const failure = await probeStore(store);
    if (failure !== null) throw new BatchRefusal(failure.reason, `spec.artifacts.s3: ${failure.message}`);
    return store;
  } catch (error) {
    throw storeRefusal(job, error);
  }
}

/** The refusal that an error of the store leads to. */
export function storeRefusal(job: JobConfig, error: unknown): Error {
  const secret = job.spec.artifacts.s3.secretRef?.name;
  if (error instanceof BatchRefusal) return error;
  if (error instanceof StoreRefused && secret !== undefined && process.env['AWS_ACCESS_KEY_ID'] === undefined) {
    const keys = 'accessKeyId and secretAccessKey';
    return new BatchRefusal(
      'SecretNotFound',
      `spec.artifacts.s3.secretRef: Secret ${secret} with keys ${keys} not found in this namespace`,
    );
  }
  const failure = probeFailure(error);
  return new BatchRefusal(failure.reason, `spec.artifacts.s3: ${failure.message}`);
}

/**
 * Claims the prefix for this batch with `owner.json`, and refuses a prefix that holds runs of another batch of the same
 * name: their claims and results would be taken for this batch's, and their tables overwritten. A prefix that this batch
 * has already claimed is accepted, whatever is stored there.
 * @param batchPrefixes `<safeModel>/batch-…/` of every model × harness.
 * @throws BatchRefusal
 */
export async function checkPrefixIsFree(
  job: JobConfig,
  store: ObjectStore,
  batchPrefixes: readonly string[],
): Promise<void> {
  const ownerKey = `_batches/${job.batch}/owner.json`;
  const owner = await ownerOf(store, ownerKey);
  if (owner === job.batchUID) return;
  if (owner !== null) throw inUse(job, store, `_batches/${job.batch}/`);
  for (const prefix of batchPrefixes) {
    if (await holdsRuns(job, store, prefix)) throw inUse(job, store, prefix);
  }
  try {
    await store.put(ownerKey, `${JSON.stringify({ batchUID: job.batchUID })}\n`, { ifNoneMatch: '*' });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    if ((await ownerOf(store, ownerKey)) !== job.batchUID) throw inUse(job, store, `_batches/${job.batch}/`);
  }
}

/** Whether the prefix holds an attempt, or a claim of another batch. */
async function holdsRuns(job: JobConfig, store: ObjectStore, prefix: string): Promise<boolean> {
  for await (const { key } of store.list(prefix)) {
    if (isAttemptName(key.slice(prefix.length).split('/')[2] ?? '')) return true;
    if (/\/claim(-\d+)?\.json$/.test(key) && (await ownerOf(store, key)) !== job.batchUID) return true;
  }
  return false;
}

function inUse(job: JobConfig, store: ObjectStore, prefix: string): BatchRefusal {
  return new BatchRefusal(
    'PrefixInUse',
    `spec.artifacts.s3.prefix: ${store.describe}${prefix} holds runs of another batch named ${job.batch} (a batch that was deleted and created again counts as another one); use a different spec.artifacts.s3.prefix or batch name, or delete these objects`,
  );
}

/** The `batchUID` of a claim or of `owner.json`; empty when it cannot be read, null when the object does not exist. */
async function ownerOf(store: ObjectStore, key: string): Promise<string | null> {
  const bytes = await store.get(key);
  if (bytes === null) return null;
  try {
    const { batchUID } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { batchUID?: unknown };
    return typeof batchUID === 'string' ? batchUID : '';
  } catch {
    return '';
  }
}
