import { createHash } from 'node:crypto';
import { z } from 'zod';
import { issueSentence } from '../benchmark/text/issue-sentence.ts';
import type { ObjectStore } from './object-store.ts';

/** Version of {@link manifest}; readers refuse unknown versions. */
export const MANIFEST_SCHEMA = 1;

/** `manifest.json` of an attempt. It is written when all files are stored, and is the only sign of complete evidence. */
const manifest = z.looseObject({
  schema: z.literal(MANIFEST_SCHEMA),
  complete: z.literal(true),
  /** UTC, ISO 8601. */
  created: z.string(),
  /** `path` is relative to the attempt's prefix; `size` in bytes; `sha256` in hex. In byte order of `path`. */
  files: z.array(z.object({ path: z.string(), size: z.number().int().nonnegative(), sha256: z.string().length(64) })),
  /** Notes, for example about caps that were reached. */
  notes: z.array(z.string()),
});
export type EvidenceManifest = z.infer<typeof manifest>;

/** The result of checking the bundle of an attempt. */
export interface ManifestReport {
  readonly ok: boolean;
  /** One message each; empty if `ok`. */
  readonly problems: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 (hex) of `manifest.json`; null if it does not exist. */
  readonly sha256: string | null;
}

/**
 * Reads every object in the manifest of an attempt and compares its size and SHA-256. Objects in `data/` that the manifest
 * does not list, and remaining live chunks, are problems, too. Only the schema above is shared with the writer.
 * @param attemptPrefix `<run>/a<attempt>/`, with a trailing slash
 */
export async function verifyManifest(store: ObjectStore, attemptPrefix: string): Promise<ManifestReport> {
  const raw = await store.get(`${attemptPrefix}manifest.json`);
  if (!raw)
    return failed(null, `${store.describe}${attemptPrefix}manifest.json is missing, so the evidence is incomplete.`);
  const sha256 = hash(raw);
  const value = parseJson(raw);
  const parsed = manifest.safeParse(value);
  if (!parsed.success) {
    const why = parsed.error.issues.map((issue) => issueSentence(issue, value, 'the file')).join('; ');
    return failed(sha256, `manifest.json is invalid: ${why}`);
  }
  const problems: string[] = [];
  const named = new Set<string>();
  let bytes = 0;
  for (const file of parsed.data.files) {
    if (named.has(file.path)) problems.push(`${file.path} is listed twice.`);
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
  return hash(body) === file.sha256 ? null : `${file.path} has a different SHA-256 than in the manifest.`;
}

async function strays(store: ObjectStore, prefix: string, named: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(`${prefix}data/`)) {
    const path = key.slice(prefix.length);
    if (!named.has(path)) found.push(`${path} is not in the manifest.`);
  }
  for await (const { key } of store.list(`${prefix}live/`))
    found.push(`${key.slice(prefix.length)} is a live chunk that was not deleted.`);
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
