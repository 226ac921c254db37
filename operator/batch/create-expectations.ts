import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';

/** What the batch reconciler keeps in memory about one batch between reconciles. All of it may be lost at any time. */
export interface BatchMemory {
  readonly uid: string;
  /** When each run was created that the cache has not shown since, milliseconds since the epoch. */
  readonly created: Map<string, number>;
  reconciledAt: number;
  usageWrittenAt: number;
}

/**
 * A run that was created and does not show up for this long was deleted before it was ever seen, or was seen and
 * forgotten. It is created again, which does no harm to an existing one.
 */
const EXPECTATION_TIMEOUT_MS = 30_000;

/** The memories of all batches, by `namespace/name`. */
export interface BatchMemories {
  /** A batch that was deleted and created again starts with an empty memory. */
  of(key: string, batch: Live<Batch>): BatchMemory;
  /** @returns the UID of the batch that was forgotten. */
  forget(key: string): string | null;
  readonly size: number;
}

export function createBatchMemories(): BatchMemories {
  const memories = new Map<string, BatchMemory>();
  return {
    of: (key, { metadata: { uid } }) => {
      const known = memories.get(key);
      if (known?.uid === uid) return known;
      const memory = { uid, created: new Map<string, number>(), reconciledAt: 0, usageWrittenAt: 0 };
      memories.set(key, memory);
      return memory;
    },
    forget: (key) => {
      const uid = memories.get(key)?.uid ?? null;
      memories.delete(key);
      return uid;
    },
    get size() {
      return memories.size;
    },
  };
}

/** Runs that were created a moment ago and are not in the cache yet; they must not be created again. */
export function pendingCreates({ created }: BatchMemory, runs: readonly Live<Run>[], now: number): ReadonlySet<string> {
  for (const { metadata } of runs) created.delete(metadata.name);
  for (const [name, at] of created) if (now - at >= EXPECTATION_TIMEOUT_MS) created.delete(name);
  return new Set(created.keys());
}

export function expectCreates({ created }: BatchMemory, runs: readonly { readonly name: string }[], now: number): void {
  for (const { name } of runs) created.set(name, now);
}
