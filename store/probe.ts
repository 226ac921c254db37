import { randomBytes } from 'node:crypto';
import { type ObjectStore, StoreConflict, StoreRefused } from './object-store.ts';

/** Why a store cannot be used: `reason` and `message` for a condition; `retryable` if it may work later. */
export interface ProbeFailure {
  readonly reason: 'StoreRefused' | 'StoreUnavailable' | 'ConditionalWritesUnsupported' | 'StoreInconsistent';
  readonly message: string;
  readonly retryable: boolean;
}

/**
 * Performs all operations of a run once with a small object in `_probe/`: write, read, list, conditional write (which must
 * fail for the existing object), delete. This reports wrong credentials or a store that ignores `If-None-Match` before any
 * Pod exists, instead of losing a thousand bundles.
 * @returns null if the store can be used
 */
export async function probeStore(store: ObjectStore): Promise<ProbeFailure | null> {
  const key = `_probe/${randomBytes(8).toString('hex')}`;
  try {
    const failure = await exercise(store, key);
    await store.delete([key]);
    if (failure) return failure;
    return (await store.get(key)) === null
      ? null
      : broken(
          `${store.describe} still returns an object after it was deleted; use a store with read-after-write consistency.`,
        );
  } catch (error) {
    await store.delete([key]).catch(() => undefined);
    return probeFailure(error);
  }
}

async function exercise(store: ObjectStore, key: string): Promise<ProbeFailure | null> {
  const content = `probe ${key}`;
  await store.put(key, content);
  const back = await store.get(key);
  if (!back || Buffer.from(back).toString() !== content)
    return broken(
      `${store.describe} does not return an object that was just written; use a store with read-after-write consistency.`,
    );
  if (!(await listed(store, key)))
    return broken(
      `${store.describe} does not list an object that was just written; use a store with consistent lists.`,
    );
  try {
    await store.put(key, 'overwritten', { ifNoneMatch: '*' });
  } catch (error) {
    if (error instanceof StoreConflict) return null;
    throw error;
  }
  return {
    reason: 'ConditionalWritesUnsupported',
    message: `${store.describe} ignores "If-None-Match: *", so two attempts could overwrite each other's results; use a store with conditional writes.`,
    retryable: false,
  };
}

async function listed(store: ObjectStore, key: string): Promise<boolean> {
  for await (const entry of store.list(key)) if (entry.key === key) return true;
  return false;
}

function broken(message: string): ProbeFailure {
  return { reason: 'StoreInconsistent', message, retryable: false };
}

/** Reason and message for an error of a store, also outside the probe. */
export function probeFailure(error: unknown): ProbeFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreRefused) return { reason: 'StoreRefused', message, retryable: false };
  return { reason: 'StoreUnavailable', message: `The object store cannot be used: ${message}`, retryable: true };
}
