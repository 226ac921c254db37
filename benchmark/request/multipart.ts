import { setOwn, type JsonObject, type JsonValue } from '../text/json.ts';
import { sha256Hex } from '../text/sha256.ts';
import { toFields } from './urlencoded.ts';

/**
 * The parts of a multipart body. It is written here because the maintained parsers are event streams, and the predicate
 * has to decide synchronously while the browser holds the request.
 */

export interface Multipart {
  readonly parts: readonly Part[];
  /** Set when a limit was reached or the closing boundary is missing: the parts may be incomplete. */
  readonly overflow?: string;
}

export interface Part {
  /** From the part's `Content-Disposition`; null: none. */
  readonly name: string | null;
  /** Null: not a file. */
  readonly filename: string | null;
  /** The part's `Content-Type` as sent; empty when it has none. */
  readonly contentType: string;
  readonly content: Uint8Array;
}

export const MAX_PARTS = 1000;

/**
 * @param boundary from the content type; null: taken from the first line.
 * @returns null when the bytes are not a multipart body.
 */
export function parseMultipart(bytes: Uint8Array, boundary: string | null): Multipart | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${boundary ?? boundaryOf(buffer) ?? ''}`, 'latin1');
  let at = delimiter.length > 2 ? buffer.indexOf(delimiter) : -1;
  if (at === -1) return null;
  const parts: Part[] = [];
  while (parts.length < MAX_PARTS) {
    const start = at + delimiter.length;
    if (buffer.subarray(start, start + 2).equals(CLOSE)) return { parts };
    const next = nextDelimiter(buffer, delimiter, start);
    const part = readPart(buffer.subarray(start, next === -1 ? buffer.length : next));
    if (part !== null) parts.push(part);
    if (next === -1) return { parts, overflow: 'the multipart body has no closing boundary' };
    at = buffer.indexOf(delimiter, next);
  }
  return { parts, overflow: `the multipart body has more than ${String(MAX_PARTS)} parts` };
}

/**
 * The fields of `multipart/form-data`: text part → string, file → `{filename, content_type, size, sha256}`, repeated
 * names → arrays, a part without a name → its index, such as `(part 2)`.
 */
export function formDataFields(parts: readonly Part[]): JsonObject {
  return toFields(
    parts.map((part, place) => ({
      name: part.name ?? `(part ${String(place + 1)})`,
      value: part.filename === null ? Buffer.from(part.content).toString('utf8') : describeFile(part),
    })),
  );
}

/** The description of a file for the judge. */
export function describeFile({ filename, contentType, content }: Part): JsonValue {
  const file: JsonObject = {};
  if (filename !== null) setOwn(file, 'filename', filename);
  setOwn(file, 'content_type', contentType);
  setOwn(file, 'size', content.length);
  setOwn(file, 'sha256', sha256Hex(content));
  return file;
}

const CLOSE = Buffer.from('--');
const NEWLINE = Buffer.from('\n');

function boundaryOf(buffer: Buffer): string | null {
  const line = buffer.subarray(0, 200).toString('latin1').split(/\r?\n/, 1)[0] ?? '';
  return /^--[^\s"]{1,70}$/.test(line) ? line.slice(2).replace(/--$/, '') : null;
}

/** Index of the line end before the next delimiter at the start of a line; -1: none. */
function nextDelimiter(buffer: Buffer, delimiter: Buffer, from: number): number {
  const needle = Buffer.concat([NEWLINE, delimiter]);
  const at = buffer.indexOf(needle, from);
  if (at === -1) return -1;
  return buffer[at - 1] === 0x0d ? at - 1 : at;
}

function readPart(part: Buffer): Part | null {
  const start = part.indexOf(NEWLINE) + 1;
  const body = bodyStart(part, start);
  if (body === null) return null;
  const headers = part.subarray(start, body.headersEnd).toString('utf8');
  return {
    name: attribute(headers, 'name'),
    filename: attribute(headers, 'filename'),
    contentType: /^content-type:[ \t]*([^\r\n]*)/im.exec(headers)?.[1]?.trim() ?? '',
    content: part.subarray(body.from),
  };
}

/** Where a part's header lines end and its content begins; a part may have no header at all. */
function bodyStart(part: Buffer, start: number): { headersEnd: number; from: number } | null {
  const crlf = part.indexOf('\r\n\r\n', Math.max(0, start - 2));
  const lf = part.indexOf('\n\n', Math.max(0, start - 1));
  if (crlf === -1 && lf === -1) return null;
  return crlf !== -1 && (lf === -1 || crlf < lf)
    ? { headersEnd: Math.max(start, crlf), from: crlf + 4 }
    : { headersEnd: Math.max(start, lf), from: lf + 2 };
}

/** Browsers escape only the quote and line ends, as `%22`, `%0D`, `%0A` (HTML standard); others use a backslash. */
function attribute(headers: string, name: string): string | null {
  const disposition = /^content-disposition:[^\r\n]*/im.exec(headers)?.[0] ?? '';
  const found = new RegExp(`;\\s*${name}=(?:"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"|([^\\s;]+))`, 'i').exec(disposition);
  const value = found?.[1] ?? found?.[2];
  if (value === undefined) return null;
  return value
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n')
    .replace(/\\(["\\])/g, '$1');
}
