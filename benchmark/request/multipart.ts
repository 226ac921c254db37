import { setOwn, type JsonObject, type JsonValue } from '../text/json.ts';
import { sha256Hex } from '../text/sha256.ts';
import { toFields } from './urlencoded.ts';

/**
 * `multipart/form-data` to fields: text part → string, file → `{filename, content_type, size, sha256}`, repeated names
 * → arrays. Written here because the maintained parsers are streams with events, and the
 * predicate has to answer in the turn in which the browser holds the request.
 */

export interface Multipart {
  readonly fields: JsonObject;
  /** Set when a cap was reached or the closing boundary is missing: the fields may not be all. */
  readonly overflow?: string;
}

export const MAX_PARTS = 1000;

/**
 * @param boundary from the content type; null: taken from the first line.
 * @returns null when the bytes are no multipart body at all.
 */
export function parseMultipart(bytes: Uint8Array, boundary: string | null): Multipart | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${boundary ?? boundaryOf(buffer) ?? ''}`, 'latin1');
  let at = delimiter.length > 2 ? buffer.indexOf(delimiter) : -1;
  if (at === -1) return null;
  const found: { name: string; value: JsonValue }[] = [];
  while (found.length < MAX_PARTS) {
    const start = at + delimiter.length;
    if (buffer.subarray(start, start + 2).equals(CLOSE)) return { fields: toFields(found) };
    const next = nextDelimiter(buffer, delimiter, start);
    const part = readPart(buffer.subarray(start, next === -1 ? buffer.length : next));
    if (part !== null) found.push(part);
    if (next === -1) return { fields: toFields(found), overflow: 'the multipart body has no closing boundary' };
    at = buffer.indexOf(delimiter, next);
  }
  return { fields: toFields(found), overflow: `the multipart body has more than ${String(MAX_PARTS)} parts` };
}

const CLOSE = Buffer.from('--');
const NEWLINE = Buffer.from('\n');

function boundaryOf(buffer: Buffer): string | null {
  const line = buffer.subarray(0, 200).toString('latin1').split(/\r?\n/, 1)[0] ?? '';
  return /^--[^\s"]{1,70}$/.test(line) ? line.slice(2).replace(/--$/, '') : null;
}

/** Index of the line end before the next delimiter that stands at the start of a line; -1: none. */
function nextDelimiter(buffer: Buffer, delimiter: Buffer, from: number): number {
  const needle = Buffer.concat([NEWLINE, delimiter]);
  const at = buffer.indexOf(needle, from);
  if (at === -1) return -1;
  return buffer[at - 1] === 0x0d ? at - 1 : at;
}

function readPart(part: Buffer): { name: string; value: JsonValue } | null {
  const start = part.indexOf(NEWLINE) + 1;
  const crlf = part.indexOf('\r\n\r\n');
  const lf = part.indexOf('\n\n');
  const useCrlf = crlf !== -1 && (lf === -1 || crlf < lf);
  const end = useCrlf ? crlf : lf;
  if (end === -1) return null;
  const headers = part.subarray(start, end).toString('utf8');
  const name = attribute(headers, 'name');
  if (name === null) return null;
  const content = part.subarray(end + (useCrlf ? 4 : 2));
  const filename = attribute(headers, 'filename');
  return { name, value: filename === null ? content.toString('utf8') : describeFile(content, filename, headers) };
}

function describeFile(content: Buffer, filename: string, headers: string): JsonValue {
  const file: JsonObject = {};
  setOwn(file, 'filename', filename);
  setOwn(file, 'content_type', /^content-type:[ \t]*([^\r\n]*)/im.exec(headers)?.[1]?.trim() ?? '');
  setOwn(file, 'size', content.length);
  setOwn(file, 'sha256', sha256Hex(content));
  return file;
}

/** Browsers escape only the quote and line ends, as `%22`, `%0D`, `%0A` (HTML standard); others use a backslash. */
function attribute(headers: string, name: string): string | null {
  const disposition = /^content-disposition:[^\r\n]*/im.exec(headers)?.[0] ?? '';
  const found = new RegExp(`;\\s*${name}=(?:"((?:\\\\.|[^"\\\\])*)"|([^\\s;]+))`, 'i').exec(disposition);
  const value = found?.[1] ?? found?.[2];
  if (value === undefined) return null;
  return value
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n')
    .replace(/\\(["\\])/g, '$1');
}
