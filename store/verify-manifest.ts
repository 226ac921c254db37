import type { ObjectStore } from './object-store.ts';

/** What an independent reader found in an attempt's bundle. */
export interface ManifestReport {
  readonly ok: boolean;
  /** One sentence each; empty when `ok`. */
  readonly problems: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 (hex) of `manifest.json` itself; null when there is none. */
  readonly sha256: string | null;
}

/**
 * Reads every object the manifest of an attempt names and compares size and SHA-256; objects below `data/` that it does
 * not name, and left-over live chunks, are problems too.
 * @param attemptPrefix `<run>/a<attempt>/`, with trailing slash.
 */
export async function verifyManifest(store: ObjectStore, attemptPrefix: string): Promise<ManifestReport> {
  return Promise.reject(new Error(`not built yet: ${store.describe}${attemptPrefix}`));
}
