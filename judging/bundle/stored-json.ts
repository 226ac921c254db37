import { isObject, parseJson, stringifyJson } from '../../benchmark/text/json.ts';
import type { ObjectStore } from '../../store/object-store.ts';

export type StoredJson = Readonly<Record<string, unknown>>;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Errors of a damaged directory tree; those of an unreachable object store are thrown. */
const UNREADABLE = new Set(['ELOOP', 'EACCES', 'EPERM', 'EISDIR', 'ENAMETOOLONG']);

/** The recorder caps a body at 16 MiB; a larger document was not written by a recorder and is not parsed. */
export const LARGEST_JSON = 32 * 1024 * 1024;

/** The JSON object at a key; null when the key does not exist or its content is not a JSON object in UTF-8 of a plausible size. */
export async function getJson(store: ObjectStore, key: string): Promise<StoredJson | null> {
  const bytes = await store.get(key, LARGEST_JSON + 1).catch((error: unknown) => {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  });
  if (bytes === null || bytes.byteLength > LARGEST_JSON) return null;
  try {
    const parsed = parseJson(UTF8.decode(bytes));
    return parsed.ok && isObject(parsed.value) ? parsed.value : null;
  } catch {
    return null;
  }
}

/** Writes an object with an indentation of two spaces, as in upstream's files. */
export async function putJson(store: ObjectStore, key: string, value: StoredJson): Promise<void> {
  await store.put(key, `${stringifyJson(value, 2)}\n`, { contentType: 'application/json' });
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
