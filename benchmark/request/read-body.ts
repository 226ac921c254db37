import { sha256Hex } from '../text/sha256.ts';
import { parseJson, type JsonValue } from '../text/json.ts';
import { knownCharset, parseContentType, type ContentType } from './content-type.ts';
import { describeFile, formDataFields, parseMultipart, type Part } from './multipart.ts';
import { parsePairs, toFields } from './urlencoded.ts';
import { xmlFields } from './xml-fields.ts';

export type BodyForm = 'none' | 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** Fields of a body. */
export interface InnerFields {
  readonly fields: JsonValue;
  /** A list as a field's value means that its name was sent several times. */
  readonly repeats: boolean;
}

/** The reading of a body by its media type. */
export interface BodyReading {
  readonly form: BodyForm;
  /** What the judge and the request log see, and what a filter is tried on first. */
  readonly fields: JsonValue;
  /** Further readings by a server: the JSON of a GraphQL upload, the lines of NDJSON, the elements of XML. */
  readonly inner: readonly InnerFields[];
  /** Null: binary, or made of parts. */
  readonly text: string | null;
  readonly deep?: boolean;
  /** A limit was reached: the fields are incomplete. */
  readonly overflow?: string | undefined;
  /** What was guessed or kept as sent, one sentence each. */
  readonly notes?: readonly string[];
}

/** Multipart bodies inside multipart bodies, and HTTP messages inside those, are read to this depth. */
const MAX_DEPTH = 4;

/** Reads a decompressed body by its content type. Never throws. */
export function readBody(bytes: Uint8Array, type: ContentType, depth = 0): BodyReading {
  if (type.kind === 'multipart' && depth < MAX_DEPTH) {
    const multipart = parseMultipart(bytes, type.boundary);
    if (multipart !== null) {
      const read = readParts(multipart.parts, type, depth);
      return { ...read, overflow: multipart.overflow ?? read.overflow };
    }
  }
  const text = decodeText(bytes, type.charset);
  if (text === null) return { form: 'binary', fields: describeBytes(bytes, type), inner: [], text: null };
  return readText(text, type);
}

function readText(text: string, type: ContentType): BodyReading {
  if (type.kind === 'xml') return readXml(text);
  if (type.kind === 'lines') return readLines(text);
  if (type.kind === 'words') return readJson(text) ?? plain(text);
  return type.kind === 'text' ? readPlainText(text, type) : readUntyped(text, type);
}

const plain = (text: string): BodyReading => ({ form: 'text', fields: text, inner: [], text });

/** The description of binary bytes for the judge, in the form of a file in a multipart body. */
function describeBytes(bytes: Uint8Array, type: ContentType): JsonValue {
  return { content_type: type.value, size: bytes.length, sha256: sha256Hex(bytes) };
}

/** Upstream's own order: JSON, then a form, then text. */
export function readUntyped(text: string, type: ContentType): BodyReading {
  const json = readJson(text);
  if (json !== null) return json;
  const { pairs, notes } = formPairs(text, type);
  const fields = toFields(pairs);
  return Object.keys(fields).length > 0 ? { form: 'form', fields, inner: [], text, notes } : plain(text);
}

/**
 * A form's escapes are bytes of the charset that the content type or the form's own `_charset_` field states. A value
 * that is not UTF-8 and has no stated charset is kept as sent: a guess would show the judge a different text.
 */
function formPairs(
  text: string,
  { charset, value }: ContentType,
): { pairs: readonly { name: string; value: string }[]; notes: readonly string[] } {
  const pairs = parsePairs(text);
  const stated = charset ?? knownCharset(pairs.find(({ name }) => name === '_charset_')?.value ?? '');
  if (stated !== null && stated !== 'utf-8')
    return { pairs: parsePairs(text, stated), notes: [`the form is read as ${stated}`] };
  if (value !== FORM || !pairs.some(hasLost)) return { pairs, notes: [] };
  const raw = rawPairs(text);
  const kept = pairs.map((pair, at) =>
    hasLost(pair) && !/%EF%BF%BD/i.test(raw[at]?.value ?? '') ? (raw[at] ?? pair) : pair,
  );
  return {
    pairs: kept,
    notes: ['the form contains bytes that are not UTF-8 and states no charset; they are kept escaped'],
  };
}

const FORM = 'application/x-www-form-urlencoded';
const LOST = '\uFFFD';
const hasLost = ({ name, value }: { name: string; value: string }): boolean =>
  name.includes(LOST) || value.includes(LOST);

function rawPairs(text: string): { name: string; value: string }[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const cut = part.indexOf('=');
      return cut === -1 ? { name: part, value: '' } : { name: part.slice(0, cut), value: part.slice(cut + 1) };
    });
}

/** `fetch` and `sendBeacon` declare `text/*` for any string: JSON, forms and prose alike. */
function readPlainText(text: string, type: ContentType): BodyReading {
  const json = readJson(text);
  if (json !== null) return json;
  const looksLikeForm = /^[^\s&=<]+=[^\s]*$/.test(text);
  return looksLikeForm ? readUntyped(text, type) : plain(text);
}

function readXml(text: string): BodyReading {
  const xml = xmlFields(text);
  if (xml === null) return readJson(text) ?? plain(text);
  return { ...plain(text), inner: xml.objects.map((fields) => ({ fields, repeats: true })), overflow: xml.overflow };
}

/** Lines beyond this are not read: a filter needs a few of them. */
const MAX_LINES = 20_000;

/** NDJSON and JSON text sequences (RFC 7464, whose records begin with a control character). */
function readLines(text: string): BodyReading {
  const lines = text.split(/[\n\u001e]/, MAX_LINES + 1).filter((line) => line.trim() !== '');
  if (lines.length === 1) {
    const whole = readJson(lines[0] ?? '');
    if (whole !== null) return { ...whole, text };
  }
  const inner = lines
    .map((line) => parseJson(line))
    .flatMap((parsed) => (parsed.ok ? [{ fields: parsed.value, repeats: false }] : []));
  const overflow = lines.length > MAX_LINES ? `the body has more than ${String(MAX_LINES)} lines` : undefined;
  return { ...plain(text), inner, overflow };
}

export function readJson(text: string): BodyReading | null {
  const parsed = parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  return parsed.ok ? { form: 'json', fields: parsed.value, inner: [], text, deep: parsed.deep } : null;
}

/**
 * The fields of `multipart/form-data`; for other multipart types, whose parts have no names, the content of each part in order.
 * Parts with a JSON type, and the `operations` of a GraphQL upload, are read in addition.
 */
function readParts(parts: readonly Part[], type: ContentType, depth: number): BodyReading {
  const isForm = type.value === 'multipart/form-data' || parts.some(({ name }) => name !== null);
  const read = parts.map((part) => readPart(part, depth));
  const inner = read.flatMap((one) => one?.inner ?? []);
  const overflow = read.find((one) => one?.overflow !== undefined)?.overflow;
  if (!isForm) {
    const fields = read.map((one, at) => one?.fields ?? describeFile(parts[at] as Part));
    const forms = read.flatMap((one) => (one?.form === 'form' ? [{ fields: one.fields, repeats: true }] : []));
    return { form: 'multipart', fields, inner: [...forms, ...inner], text: null, overflow };
  }
  const typed = read.flatMap((one, at) =>
    one !== null && one.form === 'json' && isRead(parts[at] as Part) ? [{ fields: one.fields, repeats: false }] : [],
  );
  return { form: 'multipart', fields: formDataFields(parts), inner: [...typed, ...inner], text: null, overflow };
}

/** The parts of a form that a server parses: those with a content type, and those named by the GraphQL upload protocol. */
function isRead({ name, contentType: type }: Part): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(type) || name === 'operations';
}

/** Null: a file, or content that no filter reads. */
function readPart(part: Part, depth: number): BodyReading | null {
  if (part.filename !== null && !isRead(part)) return null;
  if (/^application\/http\b/i.test(part.contentType)) return readHttpMessage(part.content, depth);
  return readBody(part.content, parseContentType(part.contentType), depth + 1);
}

/** A request inside a batch (OData, Google): its body, by its own headers. */
function readHttpMessage(content: Uint8Array, depth: number): BodyReading | null {
  const text = Buffer.from(content).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null || depth >= MAX_DEPTH) return null;
  const headers = text.slice(0, end.index);
  const type = /^content-type:[ \t]*([^\r\n]*)/im.exec(headers)?.[1] ?? '';
  const body = content.subarray(end.index + end[0].length);
  return body.length === 0 ? null : readBody(body, parseContentType(type), depth + 1);
}

/** Decodes by the byte-order mark, else the stated charset, else UTF-8. Null: not text. */
function decodeText(bytes: Uint8Array, charset: string | null): string | null {
  for (const label of [byteOrderMark(bytes), charset, 'utf-8']) {
    if (label === null) continue;
    try {
      return new TextDecoder(label, { fatal: true, ignoreBOM: label === 'utf-8' }).decode(bytes);
    } catch {
      // The next one may fit.
    }
  }
  return null;
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : null;
}
