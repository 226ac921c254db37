import { parseJson, type JsonValue } from '../text/json.ts';

/**
 * Reads a task file's bytes as JSON. Files are user input: one of 100 MB, a truncated one and one in Latin-1 must each lead
 * to a message that says what to do, before anything expensive is done with them.
 */

/** The largest public task file has 10 kB. */
const MAX_TASK_BYTES = 8 * 1024 * 1024;

export type TaskFile =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly code: 'size' | 'encoding' | 'json'; readonly message: string };

/** Reads the JSON of a task file. Never throws. */
export function readTaskFile(file: string | Uint8Array): TaskFile {
  if (file.length > MAX_TASK_BYTES)
    return bad('size', 'the task file is larger than 8 MiB; task files usually have a few kB');
  const text = typeof file === 'string' ? file : decode(file);
  if (text === null) return bad('encoding', 'the task file is not UTF-8; save it as UTF-8');
  const parsed = parseJson(text);
  if (!parsed.ok) return bad('json', `the task file is not valid JSON${place(text)}`);
  if (parsed.deep) return bad('json', 'the task file is nested deeper than 500 levels; flatten it');
  return { ok: true, value: parsed.value };
}

function bad(code: 'size' | 'encoding' | 'json', message: string): TaskFile {
  return { ok: false, code, message };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Where the parser stopped. Its message quotes the file, so only the position is used. */
function place(text: string): string {
  if (text.trim() === '') return ': it is empty';
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    if (/Unexpected end|Unterminated/.test(message) || position >= text.trimEnd().length)
      return ': it ends unexpectedly, the file is cut off';
    const at = /line (\d+) column (\d+)/.exec(message);
    return at === null ? '' : ` at line ${at[1] ?? ''}, column ${at[2] ?? ''}`;
  }
}
