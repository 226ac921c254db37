import { readFile } from 'node:fs/promises';
import { type ObjectStore, type PutOptions, StoreConflict } from './object-store.ts';
import { type StoreRetryPolicy, retryStore } from './retry.ts';

/**
 * Adds retries to a store. If the response to a conditional write is lost, the retry finds the object of the first try,
 * which looks like a conflict. Therefore, a conflict after a failure counts as success if the stored bytes are the same.
 */
export function retryingStore(store: ObjectStore, policy: Omit<StoreRetryPolicy, 'signal'>): ObjectStore {
  const withSignal = (signal: AbortSignal | undefined): StoreRetryPolicy => ({ ...policy, signal });
  const write = (
    key: string,
    options: PutOptions | undefined,
    put: () => Promise<number>,
    body: () => Promise<Uint8Array>,
  ): Promise<number> =>
    retryStore(async (failures) => {
      try {
        return await put();
      } catch (error) {
        if (!(error instanceof StoreConflict) || failures === 0) throw error;
        const mine = await body();
        const there = await store.get(key);
        if (there && Buffer.compare(there, mine) === 0) return mine.byteLength;
        throw error;
      }
    }, withSignal(options?.signal));
  return {
    describe: store.describe,
    put: (key, body, options) =>
      write(
        key,
        options,
        () => store.put(key, body, options),
        () => Promise.resolve(Buffer.from(body)),
      ),
    putFile: (key, path, options) =>
      write(
        key,
        options,
        () => store.putFile(key, path, options),
        () => readFile(path),
      ),
    get: (key, first) => retryStore(() => store.get(key, first), withSignal(undefined)),
    list: (prefix) => listWithRetry(store, prefix, withSignal(undefined)),
    delete: (keys) => retryStore(() => store.delete(keys), withSignal(undefined)),
  };
}

/** A page that fails restarts the list. Keys that were already returned are skipped, since the order is fixed. */
async function* listWithRetry(
  store: ObjectStore,
  prefix: string,
  policy: StoreRetryPolicy,
): AsyncGenerator<{ key: string; size: number }> {
  let given = 0;
  let iterator = store.list(prefix)[Symbol.asyncIterator]();
  for (;;) {
    const step = await retryStore(async (failures) => {
      if (failures > 0) {
        iterator = store.list(prefix)[Symbol.asyncIterator]();
        for (let skipped = 0; skipped < given; skipped++) await iterator.next();
      }
      return iterator.next();
    }, policy);
    if (step.done) return;
    given += 1;
    yield step.value;
  }
}
