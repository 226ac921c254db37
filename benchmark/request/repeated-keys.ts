import { parseJson } from '../text/json.ts';

/** Keys that occur more than once in an object of the JSON: parsers differ in which value they use. */
export function repeatedKeys(text: string): ReadonlySet<string> {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  const token = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]/gs;
  for (const [found, key, colon] of text.matchAll(token)) {
    if (found === '{') open.push(new Set());
    else if (found === '}') open.pop();
    else if (colon !== undefined) {
      const name = keyText(key ?? '');
      const seen = open.at(-1);
      if (seen?.has(name) === true) repeated.add(name);
      seen?.add(name);
    }
  }
  return repeated;
}

function keyText(source: string): string {
  if (!source.includes('\\')) return source;
  const parsed = parseJson(`"${source}"`);
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : source;
}
