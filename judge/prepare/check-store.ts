import { openStore } from '../../store/open.ts';
import { StoreRefused, type ObjectStore } from '../../store/object-store.ts';
import { probeFailure, probeStore } from '../../store/probe.ts';
import type { JobConfig } from '../job/job-config.ts';
import { Refusal } from './refusal.ts';

/** Opens the batch's store and proves that it does what a run needs. @throws Refusal */
export async function checkStore(job: JobConfig): Promise<ObjectStore> {
  const { s3 } = job.spec.artifacts;
  const { secretRef, ...where } = s3;
  try {
    const store = await openStore({ kind: 's3', s3: where });
    const failure = await probeStore(store);
    if (failure !== null) throw new Refusal(failure.reason, `spec.artifacts.s3: ${failure.message}`);
    return store;
  } catch (error) {
    throw asRefusal(error, secretRef?.name);
  }
}

function asRefusal(error: unknown, secret: string | undefined): Error {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreRefused && secret !== undefined && process.env['AWS_ACCESS_KEY_ID'] === undefined) {
    const keys = 'accessKeyId and secretAccessKey';
    return new Refusal(
      'SecretNotFound',
      `spec.artifacts.s3.secretRef: there is no Secret ${secret} with the keys ${keys} in this namespace`,
    );
  }
  const failure = probeFailure(error);
  return new Refusal(failure.reason, `spec.artifacts.s3: ${failure.message}`);
}

/**
 * Refuses a prefix that holds finished runs of another batch of this name: their claims would be taken for ours and the
 * old results for new ones; and attempts that never got as far as a claim would be written over.
 * @param batchPrefixes `<safeModel>/batch-…/` of every model × harness.
 * @throws Refusal
 */
export async function checkPrefixIsFree(
  job: JobConfig,
  store: ObjectStore,
  batchPrefixes: readonly string[],
): Promise<void> {
  for (const prefix of batchPrefixes) {
    for await (const { key } of store.list(prefix)) {
      const isClaim = /\/claim(-\d+)?\.json$/.test(key);
      if (isClaim && (await claimant(store, key)) === job.batchUID) break;
      if (!isClaim && !/\/a\d+\//.test(key)) continue;
      throw new Refusal(
        'PrefixInUse',
        `spec.artifacts.s3.prefix: ${store.describe}${prefix} holds runs of another batch named ${job.batch}; choose another prefix, or delete what lies there`,
      );
    }
  }
}

async function claimant(store: ObjectStore, key: string): Promise<string | null> {
  const bytes = await store.get(key);
  if (bytes === null) return null;
  try {
    const claim = JSON.parse(Buffer.from(bytes).toString('utf8')) as { batchUID?: unknown };
    return typeof claim.batchUID === 'string' ? claim.batchUID : null;
  } catch {
    return null;
  }
}
