import type { Live } from '../../kube/object.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';

/** What the batch reconciler remembers of one batch between two looks; all of it may be lost at any time. */
export interface BatchMemory {
  readonly uid: string;
  /** When each run was created that was not seen since, epoch ms. */
  readonly created: Map<string, number>;
  lookedAt: number;
  usageWrittenAt: number;
}

/**
 * A run that was created and is not there after this long was deleted before it was ever seen, or its creation was
 * seen and forgotten: it is created again, which an existing one survives.
 */
const EXPECTATION_TIMEOUT_MS = 30_000;

/** The memories of all batches, by `namespace/name`. */
export interface BatchMemories {
  /** A batch of the same name made anew begins with an empty one. */
  of(key: string, batch: Live<Batch>): BatchMemory;
  /** @returns the UID of the batch that is forgotten. */
  forget(key: string): string | null;
  readonly size: number;
}

export function createBatchMemories(): BatchMemories {
  const memories = new Map<string, BatchMemory>();
  return {
    of: (key, { metadata: { uid } }) => {
      const known = memories.get(key);
      if (known?.uid === uid) return known;
      const memory = { uid, created: new Map<string, number>(), lookedAt: 0, usageWrittenAt: 0 };
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

/** Runs that were created a moment ago and are not seen yet: nobody has to create them. */
export function pendingCreates({ created }: BatchMemory, runs: readonly Live<Run>[], now: number): ReadonlySet<string> {
  for (const { metadata } of runs) created.delete(metadata.name);
  for (const [name, at] of created) if (now - at >= EXPECTATION_TIMEOUT_MS) created.delete(name);
  return new Set(created.keys());
}

export function expectCreates({ created }: BatchMemory, runs: readonly { readonly name: string }[], now: number): void {
  for (const { name } of runs) created.set(name, now);
}
