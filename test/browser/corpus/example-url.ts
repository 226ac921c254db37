/**
 * Builds a URL that a task's pattern matches, and near-misses that it does not match. They are derived from the pattern's
 * text, which uses few features in the public corpora, and checked with JavaScript's own RegExp, so that the engine under
 * test does not check itself.
 */
export interface Examples {
  readonly match: string;
  /** Same host, another path; and another host with the same path. */
  readonly misses: readonly string[];
}

/** @throws when no example can be built because the pattern uses a new feature. */
export function examplesOf(pattern: string): Examples {
  const expression = new RegExp(pattern);
  const match = `https://${withHost(exampleText(pattern))}`;
  if (!expression.test(match)) throw new Error(`no example for ${pattern}: ${match} does not match`);
  const misses = nearMisses(match).filter((url) => URL.canParse(url) && !expression.test(url));
  if (misses.length === 0) throw new Error(`no near-miss for ${pattern}`);
  return { match, misses: misses.slice(0, 3) };
}

/** A pattern that is only a path can match on any host. */
function withHost(text: string): string {
  const host = text.startsWith('/') ? `any.test${text}` : text;
  return host.includes('/') ? host : `${host}/`;
}

/** A text that the pattern matches, without its scheme: the features of the corpora's patterns are few. */
export function exampleText(pattern: string): string {
  const first = firstAlternative(pattern.replace(/^\^/, '').replace(/^https\??:(?:\\?\/){2}/, ''));
  let text = first.replace(/\$$/, '');
  const group = /\((?:\?:)?([^()|]*)[^()]*\)/;
  while (group.test(text)) text = text.replace(group, '$1');
  return text
    .replace(/\[\^[^\]]*\]/g, 'x')
    .replace(/\[[^\]]*\]/g, 'a')
    .replace(/\\d/g, '7')
    .replace(/(?<!\\)\.(?=[*+])/g, 'x')
    .replace(/(?<!\\)[*+]/g, '')
    .replace(/(?<!\\)\?/g, '')
    .replace(/\\(.)/g, '$1');
}

function firstAlternative(pattern: string): string {
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '\\') at += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === '|' && depth === 0) return pattern.slice(0, at);
  }
  return pattern;
}

/** The path without its last letter, with one letter changed at each position from the end, another host, and no path. */
function nearMisses(url: string): string[] {
  const { origin } = new URL(url);
  const path = url.slice(origin.length);
  const changed = Array.from({ length: path.length - 1 }, (_, back) => {
    const at = path.length - 1 - back;
    return /[a-z]/i.test(path[at] ?? '')
      ? [`${origin}${path.slice(0, at)}${path[at] === 'q' ? 'z' : 'q'}${path.slice(at + 1)}`]
      : [];
  }).flat();
  return [
    ...changed.slice(0, 1),
    `https://not-the-site.test${path}`,
    `${origin}/`,
    url.slice(0, -1),
    ...changed.slice(1),
  ];
}
