import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { VERDICT_FILES } from '../../benchmark/judge/verdict-file.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { getJson, type StoredJson } from './stored-json.ts';

/** A closed run as it is stored. */
export interface StoredRun {
  /** Key prefix of the attempt that counts, with trailing slash. */
  readonly prefix: string;
  /** Null: run-meta is missing or cannot be read. */
  readonly meta: StoredJson | null;
  /** The verdict files that exist and can be read. */
  readonly verdicts: Readonly<Partial<Record<Rubric, StoredJson>>>;
}
export type ReadableRun = StoredRun & { readonly meta: StoredJson };

export function isReadable(run: StoredRun): run is ReadableRun {
  return run.meta !== null;
}

/** Reads a run's meta and the verdict files of these rubrics. */
export async function readStoredRun(
  store: ObjectStore,
  prefix: string,
  rubrics: readonly Rubric[],
): Promise<StoredRun> {
  const meta = await getJson(store, `${prefix}run-meta.json`);
  const verdicts: Partial<Record<Rubric, StoredJson>> = {};
  for (const rubric of rubrics) {
    const verdict = await getJson(store, prefix + VERDICT_FILES[rubric]);
    if (verdict !== null) verdicts[rubric] = verdict;
  }
  return { prefix, meta, verdicts };
}
