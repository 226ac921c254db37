import { isObject, parseJson, stringifyJson } from '../../benchmark/text/json.ts';

/** A body as people read it: text that is a JSON document after all is laid out. */
export function prettyBody(value: unknown): string {
  if (typeof value !== 'string') return pretty(value);
  const parsed = parseJson(value);
  const isDocument = parsed.ok && !parsed.deep && (isObject(parsed.value) || Array.isArray(parsed.value));
  return isDocument ? pretty(parsed.value) : value;
}

/** JSON with two spaces. */
export function pretty(value: unknown): string {
  return written(value, 2);
}

/** JSON on one line. */
export function compact(value: unknown): string {
  return written(value, 0);
}

/** The writer is recursive: 5,000 open brackets, which its parser reads, end its stack. */
function written(value: unknown, indent: number): string {
  try {
    return stringifyJson(value, indent);
  } catch {
    return '(nested too deep to be shown; the file has it)';
  }
}
