import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { VERDICT_FILES } from '../../benchmark/judge/verdict-file.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { readJson, type JsonObject } from './stored-json.ts';

/** A closed run as it lies in the store. */
export interface StoredRun {
  /** Key prefix of the attempt that counts, with trailing slash. */
  readonly prefix: string;
  /** Null: there is a run-meta that cannot be read. */
  readonly meta: JsonObject | null;
  /** The verdict files that are there and readable. */
  readonly verdicts: Readonly<Partial<Record<Rubric, JsonObject>>>;
}
export type ReadableRun = StoredRun & { readonly meta: JsonObject };

export function isReadable(run: StoredRun): run is ReadableRun {
  return run.meta !== null;
}

/** Reads a run's meta and the verdict files of these rubrics. */
export async function readRun(store: ObjectStore, prefix: string, rubrics: readonly Rubric[]): Promise<StoredRun> {
  const meta = await readJson(store, `${prefix}run-meta.json`);
  const verdicts: Partial<Record<Rubric, JsonObject>> = {};
  for (const rubric of rubrics) {
    const verdict = await readJson(store, prefix + VERDICT_FILES[rubric]);
    if (verdict !== null) verdicts[rubric] = verdict;
  }
  return { prefix, meta, verdicts };
}
