import type { FileHandle } from 'node:fs/promises';
import { isObject, parseJson } from '../../benchmark/text/json.ts';
import type { JsonRecord } from './fields.ts';

/** The beginning of a JSONL file. */
export interface JsonlRows {
  readonly rows: readonly JsonRecord[];
  /** Lines among those read that are no JSON object. */
  readonly bad: number;
  /** There is more in the file than was read. */
  readonly cut: boolean;
  /** Size of the whole file; null: there is none. */
  readonly bytes: number | null;
}

export const NO_ROWS: JsonlRows = { rows: [], bad: 0, cut: false, bytes: null };

/** Longest beginning of a file that is read: a page must stay one that a browser can show. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** Reads the beginning of a JSONL file and closes it. */
export async function readJsonl(file: FileHandle | null, maxRows: number): Promise<JsonlRows> {
  if (file === null) return NO_ROWS;
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return { ...parseJsonl(buffer.toString('utf8', 0, bytesRead), size > bytesRead, maxRows), bytes: size };
  } finally {
    await file.close();
  }
}

/** @param cutOff the text ends within the file: its last line is half a line. */
export function parseJsonl(text: string, cutOff: boolean, maxRows: number): Omit<JsonlRows, 'bytes'> {
  const lines = text.split('\n');
  if (cutOff) lines.pop();
  const filled = lines.filter((line) => line.trim() !== '');
  const taken = filled.slice(0, maxRows).map((line) => parseJson(line));
  const rows = taken.flatMap((parsed) => (parsed.ok && isObject(parsed.value) ? [parsed.value] : []));
  return { rows, bad: taken.length - rows.length, cut: cutOff || filled.length > maxRows };
}
