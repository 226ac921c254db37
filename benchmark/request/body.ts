import { isObject, type JsonValue } from '../text/json.ts';
import { decompress } from './content-encoding.ts';
import { parseContentType } from './content-type.ts';
import { readBody, type BodyForm, type InnerFields } from './read-body.ts';

/**
 * From the bytes of a request's body to the fields that filters and judges read. Upstream ignores the content type, so
 * a multipart or gzipped body never matches a filter and the request goes out. Here the content type
 * decides, and where it is absent or lies, upstream's own order (JSON, form, raw text) is the fallback: whatever
 * matches there matches here.
 */

/** As the recorder saw it: `none` the request has no body; the last three say what is missing. */
export type BodyStatus = 'none' | 'complete' | 'partial' | 'truncated' | 'unavailable';

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
  /** What a server finds inside besides; filters see each of these too. See {@link createBodyFraming}. */
  readonly inner: readonly InnerFields[];
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
  const read = readBody(bytes, type);
  const overflow = read.overflow === undefined ? [] : [read.overflow];
  return {
    status: overflow.length > 0 && status === 'complete' ? 'truncated' : status,
    form: read.form,
    fields: read.fields,
    inner: read.inner,
    text: read.text,
    deep: read.deep ?? false,
    bytes: input.bytes,
    notes: [...notes, ...overflow, ...(read.notes ?? [])],
  };
}

function without(input: BodyInput): DecodedBody {
  const status = input.status === 'complete' ? 'none' : input.status;
  return { status, form: 'none', fields: null, inner: [], text: null, deep: false, bytes: null, notes: [] };
}

function header(headers: Readonly<Record<string, string>> | undefined, name: string): string {
  if (!isObject(headers)) return '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return typeof found?.[1] === 'string' ? found[1] : '';
}
