import { createMemo } from '../../../../benchmark/text/memo.ts';

/**
 * The head of a request as the gateway lets it out: read by the letter of RFC 9112, once. What two programs could read
 * in two ways (two lengths, a length beside chunks, folded lines, a lone line feed, a body on a GET) is refused and not
 * repaired: behind such a head a second request could stand that the site sees and the gateway does not. A browser
 * sends none of it.
 */
export interface ParsedRequestHead {
  readonly method: string;
  /** As sent: absolute form, origin form or an authority. */
  readonly target: string;
  /** Empty in a CONNECT without one. */
  readonly host: string;
  /** Bytes of the body. */
  readonly body: number | 'chunked';
  /** What the connection is to become; null for an ordinary request. */
  readonly upgrade: string | null;
  /**
   * The header lines, byte for byte, with the empty line behind them. What speaks to the proxy is gone, and
   * `Proxy-Connection` stands as the `Connection` that the browser would have sent to the site itself.
   */
  readonly fields: string;
}

export type HeadReading =
  { readonly kind: 'head'; readonly head: ParsedRequestHead } | { readonly kind: 'refuse'; readonly why: string };

const CR = 13;
const LF = 10;
const COLON = 58;
const CRLF = '\r\n';
/** RFC 9110: `OWS`. What `trim` takes besides is part of the value. */
const OUTER_SPACE = /^[ \t]+|[ \t]+$/g;
const TARGET = /^[\x21-\x7e]+$/;
/** RFC 9110: `token`, and what a field's value may hold (HTAB, SP, VCHAR, obs-text). */
const IS_TOKEN = table((char) => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(char));
const IS_VALUE = table((char) => /[\t\x20-\x7e\x80-\xff]/.test(char));
/** Lengths of the names below: all others are passed over without a look. */
const KNOWN_LENGTHS = new Set([4, 7, 10, 14, 16, 17, 18, 19]);

/** @param text the bytes up to and with the empty line, as latin1. */
export function readRequestHead(text: string): HeadReading {
  const lineEnd = text.indexOf(CRLF);
  const [method = '', target = '', version, ...more] = text.slice(0, lineEnd).split(' ');
  if (more.length > 0 || !isToken(method) || !TARGET.test(target)) return refuse('the request line cannot be read');
  if (version !== 'HTTP/1.1') return refuse('only HTTP/1.1 is spoken here');
  const known = rememberedFields(text, lineEnd + 2);
  return typeof known === 'string' ? refuse(known) : conclude(method, target, known);
}

/** The fields that the gateway acts on, each as often as it came. */
interface Known {
  readonly host: string[];
  readonly length: string[];
  readonly coding: string[];
  readonly upgrade: string[];
  readonly connection: string[];
  /** Header lines to leave out, or to write otherwise. */
  readonly proxy: { readonly from: number; readonly to: number; readonly name: string }[];
  readonly text: string;
}

/** What the header lines of a request say; shared by all requests that have the same. */
interface Fields {
  readonly host: readonly string[];
  readonly length: readonly string[];
  readonly coding: readonly string[];
  readonly upgrade: readonly string[];
  /** See {@link ParsedRequestHead.fields}. */
  readonly fields: string;
}

const LONGEST_REMEMBERED = 8192;
/** A page's requests to one site differ in their first line, and seldom in anything else. */
const memo = createMemo<Fields | string>({ keys: 200, keyLength: LONGEST_REMEMBERED });

function rememberedFields(text: string, start: number): Fields | string {
  const lines = text.slice(start);
  // As a key these lines would keep the whole text in memory, its first line too, which may be very long.
  return text.length > LONGEST_REMEMBERED ? readFields(lines) : memo(lines, () => readFields(lines));
}

/** @returns what is wrong, when something is. */
function readFields(text: string): Fields | string {
  const known: Known = { host: [], length: [], coding: [], upgrade: [], connection: [], proxy: [], text };
  const end = text.length - 2;
  let at = 0;
  while (at < end) {
    const from = at;
    while (IS_TOKEN[text.charCodeAt(at)] === 1) at += 1;
    const colon = at;
    if (colon === from || text.charCodeAt(colon) !== COLON) return 'a header line cannot be read';
    at += 1;
    while (IS_VALUE[text.charCodeAt(at)] === 1) at += 1;
    if (text.charCodeAt(at) !== CR || text.charCodeAt(at + 1) !== LF) return 'a header value cannot be read';
    at += 2;
    if (KNOWN_LENGTHS.has(colon - from)) note(known, from, colon, at);
  }
  const { host, length, coding, upgrade } = known;
  return { host, length, coding, upgrade, fields: fieldsFor(known) };
}

function note(known: Known, from: number, colon: number, to: number): void {
  const name = known.text.slice(from, colon).toLowerCase();
  const value = (): string => known.text.slice(colon + 1, to - 2).replace(OUTER_SPACE, '');
  if (name === 'host') known.host.push(value());
  // Servers that hand headers on as variables read `_` and `-` as one.
  else if (/^content[-_]length$/.test(name)) known.length.push(value());
  else if (/^transfer[-_]encoding$/.test(name)) known.coding.push(value());
  else if (name === 'upgrade') known.upgrade.push(value());
  else if (name === 'connection') known.connection.push(value());
  else if (/^proxy-(?:connection|authorization|authenticate)$/.test(name)) known.proxy.push({ from, to, name });
}

function conclude(method: string, target: string, known: Fields): HeadReading {
  const [host] = known.host;
  const body = bodyOf(known);
  // A tunnel's own head goes nowhere.
  if (known.host.length > 1 || (host === undefined && method !== 'CONNECT')) return refuse('a request names one host');
  if (body === null) return refuse('the length of the body is ambiguous');
  if (body !== 0 && /^(?:GET|HEAD|CONNECT)$/.test(method)) return refuse(`${method} has no body`);
  if (known.upgrade.length > 1) return refuse('the request asks for two protocols');
  return {
    kind: 'head',
    head: { method, target, host: host ?? '', body, upgrade: known.upgrade[0] ?? null, fields: known.fields },
  };
}

/** Null when it can be read in two ways. */
function bodyOf({ length, coding }: Fields): number | 'chunked' | null {
  if (length.length + coding.length > 1) return null;
  const [coded] = coding;
  if (coded !== undefined) return coded.toLowerCase() === 'chunked' ? 'chunked' : null;
  const [digits] = length;
  if (digits === undefined) return 0;
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

function fieldsFor({ text, proxy, connection }: Known): string {
  let fields = '';
  let from = 0;
  let open = connection.length === 0;
  for (const line of proxy) {
    fields += text.slice(from, line.from);
    if (open && line.name === 'proxy-connection') {
      fields += text.slice(line.from + 'Proxy-'.length, line.to);
      open = false;
    }
    from = line.to;
  }
  return fields + text.slice(from);
}

function isToken(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (IS_TOKEN[text.charCodeAt(at)] !== 1) return false;
  return text !== '';
}

function refuse(why: string): HeadReading {
  return { kind: 'refuse', why };
}

function table(holds: (char: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (holds(String.fromCharCode(code)) ? 1 : 0));
}
