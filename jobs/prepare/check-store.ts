import { isAttemptName } from '../../benchmark/protocol/names.ts';
import { openStore } from '../../store/open.ts';
import { StoreConflict, StoreRefused, type ObjectStore } from '../../store/object-store.ts';
import { probeFailure, probeStore } from '../../store/probe.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { BatchRefusal } from './refusal.ts';

/** Opens the batch's store and proves that it does what a run needs. @throws Refusal */
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

/** What the store's refusal or silence means for the batch. */
export function storeRefusal(job: JobConfig, error: unknown): Error {
  const secret = job.spec.artifacts.s3.secretRef?.name;
  if (error instanceof BatchRefusal) return error;
  if (error instanceof StoreRefused && secret !== undefined && process.env['AWS_ACCESS_KEY_ID'] === undefined) {
    const keys = 'accessKeyId and secretAccessKey';
    return new BatchRefusal(
      'SecretNotFound',
      `spec.artifacts.s3.secretRef: there is no Secret ${secret} with the keys ${keys} in this namespace`,
    );
  }
  const failure = probeFailure(error);
  return new BatchRefusal(failure.reason, `spec.artifacts.s3: ${failure.message}`);
}

/**
 * Takes the prefix for this batch by a mark, and refuses one that holds runs of another batch of this name: their claims
 * would be taken for ours, the old results for new ones, and its tables written over. Its own mark lets a batch in
 * again, whatever lies there.
 * @param batchPrefixes `<safeModel>/batch-…/` of every model × harness.
 * @throws Refusal
 */
export async function checkPrefixIsFree(
  job: JobConfig,
  store: ObjectStore,
  batchPrefixes: readonly string[],
): Promise<void> {
  const mark = `_batches/${job.batch}/owner.json`;
  const owner = await ownerOf(store, mark);
  if (owner === job.batchUID) return;
  if (owner !== null) throw inUse(job, store, `_batches/${job.batch}/`);
  for (const prefix of batchPrefixes) {
    if (await holdsRuns(job, store, prefix)) throw inUse(job, store, prefix);
  }
  try {
    await store.put(mark, `${JSON.stringify({ batchUID: job.batchUID })}\n`, { ifNoneMatch: '*' });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    if ((await ownerOf(store, mark)) !== job.batchUID) throw inUse(job, store, `_batches/${job.batch}/`);
  }
}

/** Whether an attempt lies there, or a claim that is not this batch's. */
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
    `spec.artifacts.s3.prefix: ${store.describe}${prefix} holds runs of another batch named ${job.batch} (one that was deleted and applied again is another); apply this one with another spec.artifacts.s3.prefix or under another name, or delete what lies there`,
  );
}

/** The `batchUID` of a claim or a mark; empty when it cannot be read, null when it is not there. */
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
