/**
 * One request, several spellings. `https://u:p@Shop.Example.:443//%68it` reaches the same handler as
 * `https://shop.example/hit`, so a page (or an agent) must not slip past a pattern by spelling. Each step below keeps
 * the former results: a pattern that was written for the raw form still sees the raw form.
 */

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * URLs with one spelling only: the parser writes them back as they are, and no step below finds anything in them. Most
 * of what a page asks for; told by its looks, since parsing costs ten times as much while the request waits.
 */
const LABEL = '[a-z0-9-]+';
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const HOST = `(?:(?:${LABEL}\\.)*[a-z][a-z0-9-]*|${BYTE}(?:\\.${BYTE}){3})`;
const PORT = '(?::[1-9]\\d{0,4}(?<!:80|:443))?';
const PATH = "(?:/(?![/.])[A-Za-z0-9\\-._~!$&'()*+,;=:@%]*)+";
const QUERY = '(?:\\?[A-Za-z0-9\\-._~!$&()*+,;=:@/?%]*)?';
const ONE_SPELLING = new RegExp(`^(?:https?|wss?)://(?![^/]*xn--)${HOST}${PORT}${PATH}${QUERY}$`);
const ESCAPED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i;

/** The raw URL first, then each further normalised spelling, without repeats. Never throws. */
export function urlSpellings(url: string): readonly string[] {
  return ONE_SPELLING.test(url) && !ESCAPED_UNRESERVED.test(url) ? [url] : parsedSpellings(url);
}

/** The same by parsing. */
export function parsedSpellings(url: string): readonly string[] {
  const spellings = [url];
  const parsed = URL.parse(url);
  if (parsed === null || !/^(?:https?|wss?):$/.test(parsed.protocol)) return spellings;
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  parsed.hostname = parsed.hostname.replace(/\.+$/, '') || parsed.hostname;
  spellings.push(parsed.href);
  const decoded = decodeUnreserved(parsed.href);
  spellings.push(decoded, collapseSlashes(decoded));
  return [...new Set(spellings)];
}

/** Percent-encoded characters that need no encoding (RFC 3986, 2.3) are the same as the plain ones. */
function decodeUnreserved(url: string): string {
  return url.replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const char = String.fromCharCode(parseInt(hex, 16));
    return UNRESERVED.test(char) ? char : escape;
  });
}

/** Repeated slashes of the path as one; the scheme's own and the query stay. */
function collapseSlashes(url: string): string {
  const start = url.indexOf('://') + 3;
  const query = url.indexOf('?', start);
  const end = query === -1 ? url.length : query;
  return url.slice(0, start) + url.slice(start, end).replace(/\/{2,}/g, '/') + url.slice(end);
}
