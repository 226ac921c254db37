import { readFile } from 'node:fs/promises';
import { checkKey, compareKeys } from './key.ts';
import { type ObjectStore, StoreConflict, StoreUnavailable } from './object-store.ts';

/** A store in memory with injected faults that a real store cannot be made to show. Tests only. */
export interface MemoryStore extends ObjectStore {
  readonly objects: Map<string, Uint8Array>;
  /** The next `calls` calls fail without an effect. */
  failNext(calls: number): void;
  /** The next write takes effect and then fails. */
  loseNextAnswer(): void;
  /** Every call fails until `up`. */
  down(): void;
  up(): void;
}

export function memoryStore(): MemoryStore {
  const objects = new Map<string, Uint8Array>();
  let failures = 0;
  let lose = false;
  let isDown = false;
  const gate = (): void => {
    if (!isDown && failures-- <= 0) return;
    throw new StoreUnavailable('ECONNREFUSED', 'the store is unavailable');
  };
  const put: ObjectStore['put'] = (key, body, options) =>
    Promise.resolve().then(() => {
      gate();
      if (options?.ifNoneMatch && objects.has(checkKey(key))) throw new StoreConflict(key);
      objects.set(checkKey(key), Uint8Array.from(Buffer.from(body)));
      if (lose) {
        lose = false;
        throw new StoreUnavailable('ECONNRESET', 'the response was lost');
      }
      return Buffer.byteLength(Buffer.from(body));
    });
  return {
    describe: 'memory:/',
    objects,
    put,
    putFile: async (key, path, options) => put(key, await readFile(path), options),
    get: (key, first) =>
      Promise.resolve().then(() => {
        gate();
        return objects.get(key)?.subarray(0, first) ?? null;
      }),
    async *list(prefix) {
      await Promise.resolve();
      gate();
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort(compareKeys);
      for (const key of keys) yield { key, size: objects.get(key)?.byteLength ?? 0 };
    },
    delete: (keys) =>
      Promise.resolve().then(() => {
        gate();
        for (const key of keys) objects.delete(key);
      }),
    failNext: (calls) => void (failures = calls),
    loseNextAnswer: () => void (lose = true),
    down: () => void (isDown = true),
    up: () => void (isDown = false),
  };
}
