import { parseContentType, type ContentType } from './content-type.ts';
import { decompress } from './content-encoding.ts';
import { sha256Hex } from '../text/sha256.ts';
import { isObject, parseJson, type JsonValue } from '../text/json.ts';
import { parseMultipart } from './multipart.ts';
import { parsePairs, toFields } from './urlencoded.ts';

/**
 * From the bytes of a request's body to the fields that filters and judges read. Upstream ignores the content type, so
 * a multipart or gzipped body never matches a filter and the request goes out. Here the content type
 * decides, and where it is absent or lies, upstream's own order (JSON, form, raw text) is the fallback: whatever
 * matches there matches here.
 */

/** As the recorder saw it: `none` the request has no body; the last three say what is missing. */
export type BodyStatus = 'none' | 'complete' | 'partial' | 'truncated' | 'unavailable';
type BodyForm = 'none' | 'json' | 'form' | 'multipart' | 'text' | 'binary';

export interface BodyInput {
  /** Undefined when there is none or it could not be had. */
  readonly bytes?: Uint8Array | undefined;
  readonly status: BodyStatus;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface DecodedBody {
  readonly status: BodyStatus;
  readonly form: BodyForm;
  /** What filters see. Null when there is no body. */
  readonly fields: JsonValue;
  /** Text of the (decompressed) body; null when it is binary or absent. */
  readonly text: string | null;
  /** The fields nest too deep to be written: writers use `text`. */
  readonly deep: boolean;
  /** The bytes as they were sent; the evidence behind `fields`. */
  readonly bytes: Uint8Array | null;
  /** What was cut or could not be read, one sentence each. */
  readonly notes: readonly string[];
}

/** Larger bodies (after decompression) are cut, and say so. 5 MiB JSON is seen on real sites. */
export const MAX_DECODED_BYTES = 16 * 1024 * 1024;

/** Decodes a body. Never throws; bounded in memory by {@link MAX_DECODED_BYTES} and in fields by the parsers' caps. */
export function decodeBody(input: BodyInput): DecodedBody {
  if (input.bytes === undefined || input.bytes.length === 0) return without(input);
  const type = parseContentType(header(input.headers, 'content-type'));
  const { bytes, notes, cut } = decompress(input.bytes, header(input.headers, 'content-encoding'), MAX_DECODED_BYTES);
  const status = cut && input.status === 'complete' ? 'truncated' : input.status;
  const read = readFields(bytes, type);
  const overflow = read.overflow === undefined ? [] : [read.overflow];
  return {
    status: overflow.length > 0 && status === 'complete' ? 'truncated' : status,
    form: read.form,
    fields: read.fields,
    text: read.text,
    deep: read.deep ?? false,
    bytes: input.bytes,
    notes: [...notes, ...overflow],
  };
}

function without(input: BodyInput): DecodedBody {
  const status = input.status === 'complete' ? 'none' : input.status;
  return { status, form: 'none', fields: null, text: null, deep: false, bytes: null, notes: [] };
}

interface Read {
  readonly form: BodyForm;
  readonly fields: JsonValue;
  readonly text: string | null;
  readonly deep?: boolean;
  /** A cap was reached: the fields are not all there. */
  readonly overflow?: string | undefined;
}

function readFields(bytes: Uint8Array, type: ContentType): Read {
  if (type.kind === 'multipart') {
    const parts = parseMultipart(bytes, type.boundary);
    if (parts !== null) return { form: 'multipart', fields: parts.fields, text: null, overflow: parts.overflow };
  }
  const text = decodeText(bytes, type.charset);
  if (text === null) return { form: 'binary', fields: describeBinary(bytes, type), text: null };
  return type.kind === 'text' ? plainText(text) : untyped(text);
}

/** What a judge can know of bytes that are no text; the shape of a file in a multipart body. */
function describeBinary(bytes: Uint8Array, type: ContentType): JsonValue {
  return { content_type: type.value, size: bytes.length, sha256: sha256Hex(bytes) };
}

function untyped(text: string): Read {
  const json = readJson(text);
  if (json !== null) return json;
  const fields = toFields(parsePairs(text));
  return Object.keys(fields).length > 0 ? { form: 'form', fields, text } : { form: 'text', fields: text, text };
}

/** `text/*` is what `fetch` and `sendBeacon` declare for any string: JSON and forms come under it, and so does prose. */
function plainText(text: string): Read {
  const json = readJson(text);
  if (json !== null) return json;
  const looksLikeForm = /^[^\s&=]+=[^\s]*$/.test(text);
  return looksLikeForm ? untyped(text) : { form: 'text', fields: text, text };
}

function readJson(text: string): Read | null {
  const parsed = parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  return parsed.ok ? { form: 'json', fields: parsed.value, text, deep: parsed.deep } : null;
}

function decodeText(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return charset === 'utf-8' ? null : decodeText(bytes, 'utf-8');
  }
}

function header(headers: Readonly<Record<string, string>> | undefined, name: string): string {
  if (!isObject(headers)) return '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return typeof found?.[1] === 'string' ? found[1] : '';
}
