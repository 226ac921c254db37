import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { WholeFile } from './live-upload.ts';

/** A closed file with what the manifest says about it. */
export interface HashedFile extends WholeFile {
  readonly size: number;
  readonly sha256: string;
}

/** @returns null when the file is not there. */
export async function hashFile(file: WholeFile): Promise<HashedFile | null> {
  const found = await stat(file.source).catch(() => null);
  if (!found?.isFile()) return null;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file.source), hash);
  return { ...file, size: found.size, sha256: hash.digest('hex') };
}
