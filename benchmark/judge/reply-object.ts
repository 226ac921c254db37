import { isObject, parseJson } from '../text/json.ts';

/** Strict and answer: from the first brace to the last one, ignoring the text around them. */
export function embeddedObject(text: string): Record<string, unknown> | null {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start === -1 || end < start ? null : asObject(text.slice(start, end + 1));
}

/** Lenient: the whole reply without the fence lines of a code block. */
export function wholeObject(text: string): Record<string, unknown> | null {
  const lines = text.split('\n').filter((line) => !line.trim().startsWith('```'));
  return asObject(lines.join('\n').trim());
}

function asObject(text: string): Record<string, unknown> | null {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : null;
}
