import { readFile } from 'node:fs/promises';
import { gunzipRows, gzippedName } from '../../benchmark/protocol/row-list.ts';

/** The rows of a mounted list, plain or gzipped (`row-list.ts`); none when there is no list. */
export async function readRows<T>(path: string, parse: (value: unknown) => T): Promise<readonly T[]> {
  const text = (await read(path))?.toString('utf8');
  const packed = text === undefined ? await read(gzippedName(path)) : null;
  const rows = text ?? (packed === null ? '[]' : gunzipRows(packed));
  return (JSON.parse(rows) as unknown[]).map(parse);
}

async function read(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
