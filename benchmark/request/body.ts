import { isObject, type JsonValue } from '../text/json.ts';
import { decompress } from './content-encoding.ts';
import { parseContentType } from './content-type.ts';
import { readBody, type BodyForm, type InnerFields } from './read-body.ts';

/**
 * Decodes the bytes of a request's body into the fields that filters and judges read. Upstream ignores the content type, so a
 * multipart or gzipped body never matches a filter and the request is sent. Here the content type decides; where it is absent
 * or wrong, upstream's order (JSON, form, raw text) is the fallback, so whatever matches there matches here.
 */

/** How much of the body the recorder has: `none` means that the request has no body; the last three that it is incomplete. */
export type BodyStatus = 'none' | 'complete' | 'partial' | 'truncated' | 'unavailable';

export interface BodyInput {
  /** Undefined when there is no body or it is unavailable. */
  readonly bytes?: Uint8Array | undefined;
  readonly status: BodyStatus;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface DecodedBody {
  readonly status: BodyStatus;
  readonly form: BodyForm;
  /** What filters see. Null when there is no body. */
  readonly fields: JsonValue;
  /** Further readings of the body by a server; filters are tried on each of them too. See {@link createBodyFraming}. */
  readonly inner: readonly InnerFields[];
  /** Text of the (decompressed) body; null when it is binary or absent. */
  readonly text: string | null;
  /** The fields are nested too deeply to be written: writers use `text`. */
  readonly deep: boolean;
  /** The bytes as sent: the evidence for `fields`. */
  readonly bytes: Uint8Array | null;
  /** What was truncated or could not be read, one sentence each. */
  readonly notes: readonly string[];
}

/** Larger bodies (after decompression) are truncated, with a note. Real sites send up to 5 MiB of JSON. */
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
