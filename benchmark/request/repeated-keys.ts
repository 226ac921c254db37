import { endOfString, parseJson } from '../text/json.ts';

/** Keys that occur more than once in an object of the JSON: parsers differ in which value they use. */
export function repeatedKeys(text: string): ReadonlySet<string> {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  // No expression for a whole string: on one of 16 MB it would overflow the stack of the engine.
  const token = /["{}]/g;
  const colon = /\s*:/y;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '{') open.push(new Set());
    else if (found[0] === '}') open.pop();
    else {
      const end = endOfString(text, found.index);
      token.lastIndex = colon.lastIndex = end + 1;
      if (!colon.test(text)) continue;
      const name = keyText(text.slice(found.index + 1, end));
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
