import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isObject } from '../../benchmark/text/json.ts';

/** What was read from a JSONL file of the bundle. */
export interface JsonlRows {
  /** Non-blank lines, as upstream counts them; broken ones included. */
  readonly lines: number;
  /** What `keep` returned for each line that is JSON. */
  readonly rows: readonly unknown[];
}

/** Longer lines are counted but not parsed: a row of a transcript may contain pictures, but what is needed is small. */
const LONGEST_PARSED = 8 * 1024 * 1024;

/** Reads a JSONL file in bounded memory and keeps what `keep` returns for each row. A missing file has no lines. */
export async function readJsonlRows(path: string, keep: (row: unknown) => unknown): Promise<JsonlRows> {
  const rows: unknown[] = [];
  let lines = 0;
  const input = createReadStream(path, { encoding: 'utf8' });
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() === '') continue;
      lines += 1;
      const row = line.length <= LONGEST_PARSED ? parse(line) : undefined;
      if (row !== undefined) rows.push(keep(row));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { lines, rows };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The fields of a transcript row that `benchmark/usage/api-calls.ts` and
 * `benchmark/outcome/provider-refusal-evidence.ts` read, without its content: a transcript of 200 MB must be counted in a
 * container of 150 MB.
 */
export function slimMessage(row: unknown): unknown {
  if (!isObject(row)) return null;
  return {
    ...pick(row, ['type', 'id', 'api_call_count']),
    ...(isObject(row['model_output']) ? { model_output: {} } : {}),
    ...(isObject(row['message']) ? { message: slimInner(row['message']) } : {}),
  };
}

function slimInner(message: Record<string, unknown>): Record<string, unknown> {
  const { content } = message;
  const filled = Array.isArray(content) || typeof content === 'string' ? content.length > 0 : content != null;
  const flags = Object.fromEntries(
    ['api', 'provider', 'usage'].filter((key) => Object.hasOwn(message, key)).map((key) => [key, short(message[key])]),
  );
  return {
    ...flags,
    ...pick(message, ['role', 'model', 'timestamp', 'responseId', 'errorMessage', 'error']),
    ...(filled ? { content: 'kept' } : {}),
  };
}

function pick(row: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(row, key)).map((key) => [key, short(row[key])]));
}

/** Cuts long values, of which only the beginning or the identity matters. */
function short(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, 4096) : value;
}
