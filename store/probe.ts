import { randomBytes } from 'node:crypto';
import { type ObjectStore, StoreConflict, StoreRefused } from './object-store.ts';

/** Why a store cannot be used: `reason` for a condition, `message` one sentence, `retryable` when time may help. */
export interface ProbeFailure {
  readonly reason: 'StoreRefused' | 'StoreUnavailable' | 'ConditionalWritesUnsupported' | 'StoreInconsistent';
  readonly message: string;
  readonly retryable: boolean;
}

/**
 * Does once, with a tiny object below `_probe/`, all that a run will do: write, read back, list, write conditionally
 * (which must lose against the first), delete. So that a wrong key or a store that ignores `If-None-Match` is one
 * sentence before any Pod exists, not a thousand lost bundles.
 * @returns null when the store will do.
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
          `${store.describe} still shows an object after it was deleted: a store with read-after-write consistency is needed.`,
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
      `${store.describe} does not give back what was just written: a store with read-after-write consistency is needed.`,
    );
  if (!(await listed(store, key))) return broken(`${store.describe} does not list what was just written.`);
  try {
    await store.put(key, 'overwritten', { ifNoneMatch: '*' });
  } catch (error) {
    if (error instanceof StoreConflict) return null;
    throw error;
  }
  return {
    reason: 'ConditionalWritesUnsupported',
    message: `${store.describe} ignores "If-None-Match: *": two attempts could overwrite each other's results; use a store with conditional writes.`,
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

/** A store error as a sentence with its reason; for callers that meet one outside the probe. */
export function probeFailure(error: unknown): ProbeFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreRefused) return { reason: 'StoreRefused', message, retryable: false };
  return { reason: 'StoreUnavailable', message: `The object store cannot be used: ${message}`, retryable: true };
}
