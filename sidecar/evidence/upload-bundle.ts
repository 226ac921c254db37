import { createHash } from 'node:crypto';
import { stringifyJson } from '../../benchmark/text/json.ts';
import { type ObjectStore, StoreConflict } from '../../store/object-store.ts';
import { retryStore } from '../../store/retry.ts';
import { type EvidenceManifest, MANIFEST_SCHEMA } from '../../store/verify-manifest.ts';
import type { StoredFile } from './live-upload.ts';
import type { HashedFile } from './hash-file.ts';

export interface UploadOptions {
  readonly store: ObjectStore;
  readonly prefix: string;
  /** Whole files that are already in the store. Grows, so that a second call continues where the first failed. */
  readonly stored: Map<string, StoredFile>;
  readonly onRetry: () => void;
}

export interface ClosedBundle {
  readonly files: readonly HashedFile[];
  readonly notes: readonly string[];
  /** More fields of the manifest. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** `attempt-meta.json` as text, redacted. */
  readonly meta: string;
  /** UTC, ISO 8601; the same in every call, or the manifest would conflict with itself. */
  readonly created: string;
}

/** Longer than any upload deadline: the caller's signal ends the retries. */
const OUTAGE_MS = 24 * 3600 * 1000;

/**
 * Uploads whole files, then the manifest (which marks complete evidence), then deletes the live chunks, then uploads
 * `attempt-meta.json`. Each step is retried until the signal, and each may be repeated.
 * @returns SHA-256 of the manifest. @throws the store's last error; StoreConflict when another attempt wrote here.
 */
export async function uploadBundle(bundle: ClosedBundle, options: UploadOptions, signal: AbortSignal): Promise<string> {
  const { store, prefix, stored } = options;
  const retry = <T>(work: () => Promise<T>): Promise<T> =>
    retryStore(work, { deadlineMs: OUTAGE_MS, signal, onRetry: options.onRetry });
  for (const file of bundle.files) {
    if (stored.get(file.path)?.sha256 === file.sha256) continue;
    await retry(() => store.putFile(prefix + file.path, file.source, { signal, contentType: contentType(file.path) }));
    stored.set(file.path, { size: file.size, sha256: file.sha256 });
  }
  const text = manifestText(bundle);
  await retry(() => putOnce(store, `${prefix}manifest.json`, text, signal));
  await retry(() => removeLive(store, `${prefix}live/`));
  await retry(() => putOnce(store, `${prefix}attempt-meta.json`, bundle.meta, signal));
  return createHash('sha256').update(text).digest('hex');
}

function manifestText(bundle: ClosedBundle): string {
  const manifest: EvidenceManifest = {
    ...bundle.extra,
    schema: MANIFEST_SCHEMA,
    complete: true,
    created: bundle.created,
    files: bundle.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
    notes: [...bundle.notes],
  };
  return `${stringifyJson(manifest, 2)}\n`;
}

/**
 * Writes an object that must not exist, unless it has the same content (a lost answer, a second call).
 * @throws StoreConflict when it exists with other content.
 */
async function putOnce(store: ObjectStore, key: string, text: string, signal?: AbortSignal): Promise<void> {
  try {
    await store.put(key, text, { ifNoneMatch: '*', contentType: 'application/json', ...(signal ? { signal } : {}) });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    const existing = await store.get(key);
    if (!existing || Buffer.compare(existing, Buffer.from(text)) !== 0) throw error;
  }
}

async function removeLive(store: ObjectStore, below: string): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of store.list(below)) keys.push(key);
  await store.delete(keys);
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  png: 'image/png',
  mp4: 'video/mp4',
  log: 'text/plain; charset=utf-8',
};

function contentType(path: string): string {
  return CONTENT_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
