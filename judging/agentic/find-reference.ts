import type { ObjectStore } from '../../store/object-store.ts';
import { getJson, textOf, type StoredJson } from '../bundle/stored-json.ts';

/** The human reference sessions by task. */
export interface References {
  readonly store: ObjectStore;
  readonly byTask: ReadonlyMap<string, Reference>;
}

export interface Reference {
  /** Key prefix with trailing slash. */
  readonly prefix: string;
  readonly meta: StoredJson;
}

/**
 * Finds the reference sessions below a prefix. Any bundle counts, whatever its folder is called; of several for one task the
 * newest is used. A task is identified by its case name, and by its ID where suites name it differently.
 * @param counts whether a bundle may be a reference, from its run-meta.
 */
export async function findReferences(
  store: ObjectStore,
  below: string,
  counts: (meta: StoredJson) => boolean = () => true,
): Promise<References> {
  const byTask = new Map<string, Reference>();
  for await (const { key } of store.list(below === '' ? '' : `${below.replace(/\/+$/, '')}/`)) {
    if (!key.endsWith('run-meta.json')) continue;
    const meta = await getJson(store, key);
    if (meta === null || !counts(meta)) continue;
    const reference = { prefix: key.slice(0, -'run-meta.json'.length), meta };
    for (const name of taskNames(meta)) byTask.set(name, newer(byTask.get(name), reference));
  }
  return { store, byTask };
}

/** The reference of a run, or null. */
export function referenceOf(references: References | null, meta: StoredJson): Reference | null {
  const found = taskNames(meta).flatMap((name) => references?.byTask.get(name) ?? []);
  return found.reduce<Reference | null>((best, one) => newer(best, one), null);
}

/** Upstream's time stamps sort as text. */
function newer(known: Reference | null | undefined, one: Reference): Reference {
  const at = (reference: Reference): string => textOf(reference.meta['timestamp']);
  return known !== null && known !== undefined && at(known) > at(one) ? known : one;
}

function taskNames(meta: StoredJson): string[] {
  const [name, id] = [textOf(meta['test_case']), meta['task_id']];
  return [...(name === '' ? [] : [`case ${name}`]), ...(typeof id === 'number' ? [`id ${String(id)}`] : [])];
}
