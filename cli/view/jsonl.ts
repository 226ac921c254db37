import type { FileHandle } from 'node:fs/promises';
import { isObject, parseJson } from '../../benchmark/text/json.ts';
import type { JsonRecord } from './fields.ts';

/** The first rows of a JSONL file. */
export interface JsonlPreview {
  readonly rows: readonly JsonRecord[];
  /** Number of lines read that are not JSON objects. */
  readonly bad: number;
  /** True if the file has further rows. */
  readonly cut: boolean;
  /** Size of the whole file; null if it does not exist. */
  readonly bytes: number | null;
}

export const NO_ROWS: JsonlPreview = { rows: [], bad: 0, cut: false, bytes: null };

/** Maximum number of bytes read from a file, so that browsers can display the page. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** Reads the first rows of a JSONL file and closes it. */
export async function readJsonl(file: FileHandle | null, maxRows: number): Promise<JsonlPreview> {
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

/** @param cutOff true if the text is only the beginning of the file, so that its last line may be incomplete */
export function parseJsonl(text: string, cutOff: boolean, maxRows: number): Omit<JsonlPreview, 'bytes'> {
  const lines = text.split('\n');
  if (cutOff) lines.pop();
  const filled = lines.filter((line) => line.trim() !== '');
  const taken = filled.slice(0, maxRows).map((line) => parseJson(line));
  const rows = taken.flatMap((parsed) => (parsed.ok && isObject(parsed.value) ? [parsed.value] : []));
  return { rows, bad: taken.length - rows.length, cut: cutOff || filled.length > maxRows };
}
