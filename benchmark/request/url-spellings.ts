import { domainToUnicode } from 'node:url';

/**
 * One request, several spellings. `https://u:p@Shop.Example.:443//%68it` reaches the same handler as
 * `https://shop.example/hit`, so a page or an agent must not be able to bypass a pattern by spelling. Authors of patterns
 * also use other spellings: browsers send `xn--bcher-kva.example` and `/%D0%BE`, and people write `bücher.example` and `/о`. Each
 * step below keeps the earlier results, so a pattern for the raw form still matches the raw form.
 */

/** Spellings that only some patterns use; they are produced only when the pattern's text contains them. */
export interface WantedSpellings {
  /** Percent-escapes in lower-case hex. */
  readonly lowerHex: boolean;
  /** The scheme's default port, which browsers omit. */
  readonly defaultPort: boolean;
}

/** The further spellings that a pattern's text uses. */
export function wantedSpellings(pattern: string): WantedSpellings {
  return {
    lowerHex: LOWER_HEX.test(pattern),
    defaultPort: /:(?:80|443)(?!\d)/.test(pattern),
  };
}

const USUAL: WantedSpellings = { lowerHex: false, defaultPort: false };

/**
 * URLs with one spelling only: the parser does not change them, and no step below applies. Most requests of a page have such
 * URLs; they are recognized by a pattern, because parsing costs ten times as much while the request waits.
 */
const LABEL = '[a-z0-9-]+';
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const HOST = `(?:(?:${LABEL}\\.)*[a-z][a-z0-9-]*|${BYTE}(?:\\.${BYTE}){3})`;
const PORT = '(?::[1-9]\\d{0,4}(?<!:80|:443))?';
const PATH = "(?:/(?![/.])[A-Za-z0-9\\-._~!$&'()*+,;=:@%]*)+";
const QUERY = '(?:\\?[A-Za-z0-9\\-._~!$&()*+,;=:@/?%]+)?';
const ONE_SPELLING = new RegExp(`^(?:https?|wss?)://(?![^/]*xn--)${HOST}${PORT}${PATH}${QUERY}$`);

/** Escapes of characters without a reserved meaning in a URL (RFC 3986, 2.2): both forms are equivalent. */
const NEEDLESS_ESCAPE = /%(?:2[02de]|3[0-9ce]|4[1-9a-f]|5[0-9ace-f]|6\d|6[a-f]|7[0-9a-e]|[89a-f][0-9a-f])/i;
const LOWER_HEX = /%(?:[0-9A-Fa-f][a-f]|[a-f][0-9A-Fa-f])/;

/** The raw URL first, then each further normalised spelling, without repeats. Never throws. */
export function urlSpellings(url: string, wanted: WantedSpellings = USUAL): readonly string[] {
  const plain =
    ONE_SPELLING.test(url) &&
    !NEEDLESS_ESCAPE.test(url) &&
    !LOWER_HEX.test(url) &&
    !wanted.defaultPort &&
    !(wanted.lowerHex && url.includes('%'));
  return plain ? [url] : parsedSpellings(url, wanted);
}

/** The same by parsing. */
export function parsedSpellings(url: string, wanted: WantedSpellings = USUAL): readonly string[] {
  const spellings = new Set([url]);
  const parsed = URL.parse(url);
  if (parsed === null || !/^(?:https?|wss?):$/.test(parsed.protocol)) return [url];
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  parsed.hostname = parsed.hostname.replace(/\.+$/, '') || parsed.hostname;
  const rest = parsed.pathname + parsed.search;
  for (const host of hostSpellings(parsed, wanted)) {
    for (const path of pathSpellings(rest, wanted)) spellings.add(`${parsed.protocol}//${host}${path}`);
  }
  return [...spellings];
}

function hostSpellings({ protocol, hostname, host }: URL, { defaultPort }: WantedSpellings): readonly string[] {
  const unicode = hostname.includes('xn--') ? domainToUnicode(hostname) : '';
  const hosts = unicode === '' || unicode === hostname ? [host] : [host, unicode + host.slice(hostname.length)];
  if (!defaultPort || host !== hostname) return hosts;
  const port = /^(?:https|wss):$/.test(protocol) ? 443 : 80;
  return hosts.flatMap((one) => [one, `${one}:${String(port)}`]);
}

/** Path and query: as parsed, without needless escapes, with single slashes; without a bare question mark. */
function pathSpellings(parsed: string, { lowerHex }: WantedSpellings): readonly string[] {
  const upper = parsed.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
  const decoded = decodeUnreserved(upper);
  const readable = decodeNeedless(upper);
  const paths = [parsed, upper, decoded, readable].flatMap((path) => [path, collapseSlashes(path)]);
  const bare = paths.filter((path) => /^[^?]*\?$/.test(path)).map((path) => path.slice(0, -1));
  const all = [...paths, ...bare];
  return lowerHex
    ? all.flatMap((path) => [path, path.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())])
    : all;
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Decodes percent-encoded characters that need no encoding (RFC 3986, 2.3). */
function decodeUnreserved(path: string): string {
  return path.replace(/%([0-9A-F]{2})/g, (escape, hex: string) => {
    const char = String.fromCharCode(parseInt(hex, 16));
    return UNRESERVED.test(char) ? char : escape;
  });
}

const DELIMITER = /[!#$%&'()*+,/:;=?@[\]\x7f]/;

/** Decodes text that is not a delimiter, as a person would write it: `/о`, `/{id}`, `/a b`. */
function decodeNeedless(path: string): string {
  return path.replace(/(?:%[89A-F][0-9A-F])+/g, decodeUtf8).replace(/%([2-7][0-9A-F])/g, (escape, hex: string) => {
    const char = String.fromCharCode(parseInt(hex, 16));
    return DELIMITER.test(char) ? escape : char;
  });
}

/** Bytes that are not UTF-8 stay escaped: no author would write them as text. */
function decodeUtf8(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

/** Replaces repeated slashes of the path by one; those of the query are kept. */
function collapseSlashes(path: string): string {
  const query = path.indexOf('?');
  const end = query === -1 ? path.length : query;
  return path.slice(0, end).replace(/\/{2,}/g, '/') + path.slice(end);
}
