import { createHash } from 'node:crypto';
import { z } from 'zod';
import { issueSentence } from '../benchmark/text/issue-sentence.ts';
import type { ObjectStore } from './object-store.ts';

/** Version of {@link manifest}; a reader refuses what it does not know. */
export const MANIFEST_SCHEMA = 1;

/** `manifest.json` of an attempt: written when all its files are safe, the only mark of complete evidence. */
const manifest = z.looseObject({
  schema: z.literal(MANIFEST_SCHEMA),
  complete: z.literal(true),
  /** UTC, ISO 8601. */
  created: z.string(),
  /** `path` is relative to the attempt's prefix; `size` in bytes; `sha256` in hex. In byte order of `path`. */
  files: z.array(z.object({ path: z.string(), size: z.number().int().nonnegative(), sha256: z.string().length(64) })),
  /** Caps reached and similar, one sentence each. */
  notes: z.array(z.string()),
});
export type EvidenceManifest = z.infer<typeof manifest>;

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
 * not name, and left-over live chunks, are problems too. It shares nothing with the writer but the schema above.
 * @param attemptPrefix `<run>/a<attempt>/`, with trailing slash.
 */
export async function verifyManifest(store: ObjectStore, attemptPrefix: string): Promise<ManifestReport> {
  const raw = await store.get(`${attemptPrefix}manifest.json`);
  if (!raw)
    return failed(null, `${store.describe}${attemptPrefix}manifest.json is missing: the evidence is incomplete.`);
  const sha256 = hash(raw);
  const value = parseJson(raw);
  const parsed = manifest.safeParse(value);
  if (!parsed.success) {
    const why = parsed.error.issues.map((issue) => issueSentence(issue, value, 'the file')).join('; ');
    return failed(sha256, `manifest.json cannot be read: ${why}`);
  }
  const problems: string[] = [];
  const named = new Set<string>();
  let bytes = 0;
  for (const file of parsed.data.files) {
    if (named.has(file.path)) problems.push(`${file.path} is named twice.`);
    named.add(file.path);
    const body = await store.get(attemptPrefix + file.path);
    bytes += body?.byteLength ?? 0;
    const problem = compare(file, body);
    if (problem) problems.push(problem);
  }
  problems.push(...(await strays(store, attemptPrefix, named)));
  return { ok: problems.length === 0, problems, files: named.size, bytes, sha256 };
}

function compare(file: EvidenceManifest['files'][number], body: Uint8Array | null): string | null {
  if (!body) return `${file.path} is missing.`;
  if (body.byteLength !== file.size) return `${file.path} has ${body.byteLength} bytes instead of ${file.size}.`;
  return hash(body) === file.sha256 ? null : `${file.path} has another SHA-256 than the manifest says.`;
}

async function strays(store: ObjectStore, prefix: string, named: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(`${prefix}data/`)) {
    const path = key.slice(prefix.length);
    if (!named.has(path)) found.push(`${path} is not in the manifest.`);
  }
  for await (const { key } of store.list(`${prefix}live/`)) found.push(`${key.slice(prefix.length)} was left behind.`);
  return found;
}

function failed(sha256: string | null, problem: string): ManifestReport {
  return { ok: false, problems: [problem], files: 0, bytes: 0, sha256 };
}

function parseJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    return null;
  }
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
