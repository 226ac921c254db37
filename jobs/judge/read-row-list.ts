import { readFile } from 'node:fs/promises';
import { gunzipRows, gzippedName, partName } from '../../benchmark/protocol/row-list.ts';

/** The rows of a mounted list, plain or gzipped, in one or more parts (`row-list.ts`); empty when there is no list. */
export async function readRowList<T>(path: string, parse: (value: unknown) => T): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let part = 1; ; part += 1) {
    const text = await readPart(partName(path, part));
    if (text === null) return rows;
    for (const row of JSON.parse(text) as unknown[]) rows.push(parse(row));
  }
}

async function readPart(path: string): Promise<string | null> {
  const text = (await read(path))?.toString('utf8');
  if (text !== undefined) return text;
  const packed = await read(gzippedName(path));
  return packed === null ? null : gunzipRows(packed);
}

async function read(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
