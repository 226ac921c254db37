import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import type { SuiteFile } from '../benchmark/task/suite.ts';

/**
 * A suite is stored as one gzipped tar file: `tasks push` writes it, a ConfigMap holds it, `prepare` checks it and the
 * recorder reads it. Archives are user input, so the unpacked size is limited, and links and absolute paths are refused.
 */

/** The archive cannot be used. */
export class SuiteArchiveError extends Error {
  override readonly name = 'SuiteArchiveError';
}

/** V1, the largest public suite, unpacks to 0.3 MB; a gzip bomb must not fill a pod's memory. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** The files of an archive in their order. @throws SuiteArchiveError */
export async function readSuiteArchive(gzipped: Uint8Array): Promise<readonly SuiteFile[]> {
  const tar = unzip(gzipped);
  const files: SuiteFile[] = [];
  const reader = extract();
  reader.end(tar);
  try {
    for await (const entry of reader) {
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
      const { type, name } = entry.header;
      if (type === 'symlink' || type === 'link') throw linkRefused(name);
      if (type === 'file') files.push({ path: safePath(name), bytes: new Uint8Array(Buffer.concat(chunks)) });
    }
  } catch (error) {
    if (error instanceof SuiteArchiveError) throw error;
    throw new SuiteArchiveError('the suite archive is not a tar file');
  }
  return files;
}

/** The archive of the files, sorted and without times or owners, so that the same suite gives the same bytes. */
export async function writeSuiteArchive(files: readonly SuiteFile[]): Promise<Uint8Array> {
  const writer = pack();
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const file of sorted)
    writer.entry({ name: safePath(file.path), mtime: new Date(0), mode: 0o644 }, Buffer.from(file.bytes));
  writer.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of writer as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks), { level: 9 });
}

function unzip(gzipped: Uint8Array): Buffer {
  try {
    return gunzipSync(gzipped, { maxOutputLength: MAX_UNPACKED });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new SuiteArchiveError(
      tooLarge ? 'the suite archive unpacks to more than 64 MiB' : 'the suite archive is not gzip data',
    );
  }
}

/** Links are refused rather than skipped, since a task would run without its files. */
function linkRefused(name: string): SuiteArchiveError {
  const shown = JSON.stringify(name.slice(0, 100));
  return new SuiteArchiveError(
    `the suite archive contains a link, ${shown}; create the archive with clawbench tasks pack, or with tar --dereference --hard-dereference`,
  );
}

function safePath(name: string): string {
  const path = name.replace(/^\.\//, '').replace(/\/+$/, '');
  const bad = path === '' || path.startsWith('/') || path.includes('\\') || path.includes('\0');
  if (bad || path.split('/').some((part) => part === '..' || part === '.')) {
    throw new SuiteArchiveError(`the suite archive contains an invalid path: ${JSON.stringify(name.slice(0, 100))}`);
  }
  return path;
}
