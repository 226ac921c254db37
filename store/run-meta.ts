import { stringifyJson } from '../benchmark/text/json.ts';
import { isAttemptName, runOfAttempt } from '../benchmark/protocol/names.ts';
import { type ObjectStore, StoreConflict } from './object-store.ts';

/**
 * Writes `run-meta.json` to the attempt with the claim, as the last object of a run. That of an older generation is first
 * renamed to `superseded-meta.json`, since every `run-meta.json` in a batch counts as one run. Idempotent: a second call
 * does not change an existing file, which may already contain the judge's verdict.
 * @param prefix prefix of the attempt with a trailing slash
 * @param meta null to copy the attempt's `attempt-meta.json` (for an attempt that died after its claim)
 * @throws Error when `meta` is null and the attempt has no `attempt-meta.json`
 */
export async function writeRunMeta(
  store: ObjectStore,
  prefix: string,
  meta: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  const own = `${prefix}run-meta.json`;
  const body = meta === null ? await attemptMeta(store, prefix) : `${stringifyJson(meta, 2)}\n`;
  await supersede(store, runOfAttempt(prefix), own);
  try {
    await store.put(own, body, { ifNoneMatch: '*', contentType: 'application/json' });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
  }
}

async function attemptMeta(store: ObjectStore, prefix: string): Promise<Uint8Array> {
  const found = await store.get(`${prefix}attempt-meta.json`);
  if (!found) throw new Error(`${store.describe}${prefix}attempt-meta.json is missing`);
  return found;
}

async function supersede(store: ObjectStore, runPrefix: string, own: string): Promise<void> {
  const older: string[] = [];
  for await (const { key } of store.list(`${runPrefix}/a`)) {
    const [attempt = '', ...name] = key.slice(runPrefix.length + 1).split('/');
    if (isAttemptName(attempt) && name.join('/') === 'run-meta.json' && key !== own) older.push(key);
  }
  for (const key of older) {
    const body = await store.get(key);
    if (body) await store.put(key.replace(/run-meta\.json$/, 'superseded-meta.json'), body);
    await store.delete([key]);
  }
}
