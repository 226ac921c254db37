import { createMemo } from '../../../../benchmark/text/memo.ts';

/**
 * Parses a request's head (request line and header section) strictly by RFC 9112, once. What two programs could read in two
 * ways (two lengths, a length together with chunks, folded lines, a lone line feed, a body on a GET) is refused and not
 * repaired: after such a head, the origin server could see a second request that the gateway does not see. A browser sends
 * none of these.
 */
export interface ParsedRequestHead {
  readonly method: string;
  /** The request target as sent: absolute form, origin form or an authority. */
  readonly target: string;
  /** Empty in a CONNECT without one. */
  readonly host: string;
  /** The length of the body in bytes. */
  readonly body: number | 'chunked';
  /** The value of `Upgrade`; null for an ordinary request. */
  readonly upgrade: string | null;
  /**
   * The header section, byte for byte, with the empty line after it. Headers for the proxy are removed, and
   * `Proxy-Connection` becomes the `Connection` that the browser would have sent to the origin server itself.
   */
  readonly fields: string;
}

export type HeadReading =
  { readonly kind: 'head'; readonly head: ParsedRequestHead } | { readonly kind: 'refuse'; readonly why: string };

const CR = 13;
const LF = 10;
const COLON = 58;
const CRLF = '\r\n';
/** RFC 9110: `OWS`. Other whitespace that `trim` removes is part of the value. */
const OUTER_SPACE = /^[ \t]+|[ \t]+$/g;
const TARGET = /^[\x21-\x7e]+$/;
/** RFC 9110: `token`, and the characters of a field value (HTAB, SP, VCHAR, obs-text). */
const IS_TOKEN = table((char) => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(char));
const IS_VALUE = table((char) => /[\t\x20-\x7e\x80-\xff]/.test(char));
/** The lengths of the header names below; all other names are skipped. */
const KNOWN_LENGTHS = new Set([4, 7, 10, 14, 16, 17, 18, 19]);

/** @param text the bytes up to and including the empty line, as latin1. */
export function readRequestHead(text: string): HeadReading {
  const lineEnd = text.indexOf(CRLF);
  const [method = '', target = '', version, ...more] = text.slice(0, lineEnd).split(' ');
  if (more.length > 0 || !isToken(method) || !TARGET.test(target)) return refuse('the request line is malformed');
  if (version !== 'HTTP/1.1') return refuse('only HTTP/1.1 is supported');
  const known = memoizedFields(text, lineEnd + 2);
  return typeof known === 'string' ? refuse(known) : conclude(method, target, known);
}

/** The header fields that the gateway acts on, each as often as it occurs. */
interface Known {
  readonly host: string[];
  readonly length: string[];
  readonly coding: string[];
  readonly upgrade: string[];
  readonly connection: string[];
  /** Header lines to remove or to rename. */
  readonly proxy: { readonly from: number; readonly to: number; readonly name: string }[];
  readonly text: string;
}

/** The parsed header section; shared by all requests with the same one. */
interface Fields {
  readonly host: readonly string[];
  readonly length: readonly string[];
  readonly coding: readonly string[];
  readonly upgrade: readonly string[];
  /** See {@link ParsedRequestHead.fields}. */
  readonly fields: string;
}

const MAX_MEMOIZED = 8192;
/** A page's requests to one origin differ in their request line, and rarely in anything else. */
const memo = createMemo<Fields | string>({ keys: 200, keyLength: MAX_MEMOIZED });

function memoizedFields(text: string, start: number): Fields | string {
  const lines = text.slice(start);
  // As a key, this slice would keep the whole text in memory, including the request line, which may be very long.
  return text.length > MAX_MEMOIZED ? readFields(lines) : memo(lines, () => readFields(lines));
}

/** @returns the error as a string when the header section is malformed. */
function readFields(text: string): Fields | string {
  const known: Known = { host: [], length: [], coding: [], upgrade: [], connection: [], proxy: [], text };
  const end = text.length - 2;
  let at = 0;
  while (at < end) {
    const from = at;
    while (IS_TOKEN[text.charCodeAt(at)] === 1) at += 1;
    const colon = at;
    if (colon === from || text.charCodeAt(colon) !== COLON) return 'a header line is malformed';
    at += 1;
    while (IS_VALUE[text.charCodeAt(at)] === 1) at += 1;
    if (text.charCodeAt(at) !== CR || text.charCodeAt(at + 1) !== LF) return 'a header value is malformed';
    at += 2;
    if (KNOWN_LENGTHS.has(colon - from)) recordField(known, from, colon, at);
  }
  const { host, length, coding, upgrade } = known;
  return { host, length, coding, upgrade, fields: fieldsFor(known) };
}

function recordField(known: Known, from: number, colon: number, to: number): void {
  const name = known.text.slice(from, colon).toLowerCase();
  const value = (): string => known.text.slice(colon + 1, to - 2).replace(OUTER_SPACE, '');
  if (name === 'host') known.host.push(value());
  // Servers that pass headers on as variables treat `_` and `-` alike.
  else if (/^content[-_]length$/.test(name)) known.length.push(value());
  else if (/^transfer[-_]encoding$/.test(name)) known.coding.push(value());
  else if (name === 'upgrade') known.upgrade.push(value());
  else if (name === 'connection') known.connection.push(value());
  else if (/^proxy-(?:connection|authorization|authenticate)$/.test(name)) known.proxy.push({ from, to, name });
}

function conclude(method: string, target: string, known: Fields): HeadReading {
  const [host] = known.host;
  const body = bodyOf(known);
  // A CONNECT is not forwarded, so it needs no Host.
  if (known.host.length > 1 || (host === undefined && method !== 'CONNECT'))
    return refuse('a request must have exactly one Host header');
  if (body === null) return refuse('the length of the body is ambiguous');
  if (body !== 0 && /^(?:GET|HEAD|CONNECT)$/.test(method)) return refuse(`${method} must not have a body`);
  if (known.upgrade.length > 1) return refuse('the request has two Upgrade headers');
  return {
    kind: 'head',
    head: { method, target, host: host ?? '', body, upgrade: known.upgrade[0] ?? null, fields: known.fields },
  };
}

/** Null when the length is ambiguous. */
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
