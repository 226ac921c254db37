/**
 * An HTML mail as text. It is a single pass from left to right, since the sender of a mail could choose an input on which
 * a regular expression with two ends (`<style …>` to `</style>`) backtracks.
 */
export function htmlText(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    parts.push(html.slice(at, open));
    const tag = tagAt(html, open);
    parts.push(tag.shown);
    at = tag.end;
  }
  return tidy(unescapeHtml(parts.join('') + html.slice(at)));
}

/** Elements whose content is not shown. */
const HIDDEN: ReadonlySet<string> = new Set(['style', 'script', 'head']);
const BREAKS: ReadonlySet<string> = new Set([
  'br',
  '/p',
  '/div',
  '/tr',
  '/li',
  '/h1',
  '/h2',
  '/h3',
  '/h4',
  '/h5',
  '/h6',
]);
const NAME = /\/?[a-z][a-z0-9]*/iy;

/** The text of a tag at `open`, and where the text continues. A tag without an end extends to the end, as in a browser. */
function tagAt(html: string, open: number): { shown: string; end: number } {
  if (html.startsWith('<!', open) || html.startsWith('<?', open)) {
    const comment = html.startsWith('<!--', open);
    return { shown: ' ', end: behind(html, comment ? '-->' : '>', open + 2) };
  }
  NAME.lastIndex = open + 1;
  const name = NAME.exec(html)?.[0].toLowerCase();
  // `1 < 2` is text.
  if (name === undefined) return { shown: '<', end: open + 1 };
  const end = endOfTag(html, open + 1 + name.length);
  if (!HIDDEN.has(name)) return { shown: BREAKS.has(name) ? '\n' : ' ', end };
  return { shown: ' ', end: behindElement(html, name, end) };
}

/** Position after the `>` of a tag, ignoring those in quoted attributes. */
function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at += 1) {
    const char = html[at];
    if (char === '>') return at + 1;
    if (char !== '"' && char !== "'") continue;
    const close = html.indexOf(char, at + 1);
    if (close === -1) return behind(html, '>', at);
    at = close;
  }
  return html.length;
}

function behindElement(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}\\b`, 'gi');
  close.lastIndex = from;
  return close.test(html) ? behind(html, '>', close.lastIndex) : html.length;
}

function behind(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

function tidy(text: string): string {
  return text
    .replace(/[ \t\r]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** HTML text or attribute with its entities decoded. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? all;
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
