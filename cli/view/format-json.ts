import { isObject, parseJson, stringifyJson } from '../../benchmark/text/json.ts';

/** A body for display: text that is a JSON document is indented. */
export function prettyBody(value: unknown): string {
  if (typeof value !== 'string') return pretty(value);
  const parsed = parseJson(value);
  const isDocument = parsed.ok && !parsed.deep && (isObject(parsed.value) || Array.isArray(parsed.value));
  return isDocument ? pretty(parsed.value) : value;
}

/** JSON indented by two spaces. */
export function pretty(value: unknown): string {
  return written(value, 2);
}

/** JSON on one line. */
export function compact(value: unknown): string {
  return written(value, 0);
}

/** The writer is recursive: 5,000 nested brackets, which the parser accepts, overflow its stack. */
function written(value: unknown, indent: number): string {
  try {
    return stringifyJson(value, indent);
  } catch {
    return '(nested too deeply to be shown here; see the file)';
  }
}
