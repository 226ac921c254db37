import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import type { SuiteFile } from '../benchmark/task/suite.ts';

/**
 * A suite travels as one gzipped tar: what `tasks push` writes, a ConfigMap holds, `prepare` checks and the recorder
 * opens. Archives are users' input: a bound on the unpacked size, plain relative paths only, no links.
 */

/** The archive cannot be used; one sentence. */
export class SuiteArchiveError extends Error {
  override readonly name = 'SuiteArchiveError';
}

/** V1, the largest public suite, unpacks to 0.3 MB; a gzip bomb must not fill a pod's memory. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** Files of an archive in its order. @throws SuiteArchiveError */
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

/** The archive of these files: sorted, without times or owners, so that the same suite gives the same bytes. */
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

/** Left out silently, a task would run without its material. */
function linkRefused(name: string): SuiteArchiveError {
  const shown = JSON.stringify(name.slice(0, 100));
  return new SuiteArchiveError(
    `the suite archive holds a link, ${shown}; pack what it leads to, with clawbench tasks pack or tar --dereference --hard-dereference`,
  );
}

function safePath(name: string): string {
  const path = name.replace(/^\.\//, '').replace(/\/+$/, '');
  const bad = path === '' || path.startsWith('/') || path.includes('\\') || path.includes('\0');
  if (bad || path.split('/').some((part) => part === '..' || part === '.')) {
    throw new SuiteArchiveError(`the suite archive has a path that leaves it: ${JSON.stringify(name.slice(0, 100))}`);
  }
  return path;
}
