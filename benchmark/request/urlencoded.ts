import { own, setOwn, type JsonObject, type JsonValue } from '../text/json.ts';

/** `application/x-www-form-urlencoded` exactly as Python's `parse_qs` reads it, because filters of tasks rely on that. */

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/**
 * Pairs in order; a pair without `=` has an empty value; invalid percent escapes are kept.
 * @param charset of the escapes; null: UTF-8, as browsers send unless a page says otherwise.
 */
export function parsePairs(text: string, charset: string | null = null): Pair[] {
  const decode = decoderOf(charset);
  const pairs: Pair[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const cut = part.indexOf('=');
    const name = cut === -1 ? part : part.slice(0, cut);
    pairs.push({ name: decode(name), value: cut === -1 ? '' : decode(part.slice(cut + 1)) });
  }
  return pairs;
}

/** One value → that value, several of one name → a list in order. */
export function toFields(pairs: readonly { readonly name: string; readonly value: JsonValue }[]): JsonObject {
  const fields: JsonObject = {};
  for (const { name, value } of pairs) {
    const before = own(fields, name) as JsonValue | undefined;
    if (before === undefined) setOwn(fields, name, value);
    else if (Array.isArray(before)) before.push(value);
    else setOwn(fields, name, [before, value]);
  }
  return fields;
}

function decoderOf(charset: string | null): (text: string) => string {
  if (charset === null || charset === 'utf-8') return decodeUtf8;
  const decoder = new TextDecoder(charset, { ignoreBOM: true });
  return (text) => withRuns(text.replaceAll('+', ' '), (bytes) => decoder.decode(bytes));
}

function decodeUtf8(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    // Thirty times as fast, with the same result for escapes of valid UTF-8.
    return decodeURIComponent(spaced);
  } catch {
    return withRuns(spaced, (bytes) => UTF8.decode(bytes));
  }
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The bytes of a form are a mixture of text and escapes: in Shift_JIS the second byte of a character may be a plain letter. So a
 * run of escapes is decoded together with what follows it up to the next delimiter.
 */
function withRuns(text: string, decode: (bytes: Uint8Array) => string): string {
  return text.replace(/%[0-9a-fA-F]{2}[^ ]*/g, (run) => decode(rawBytes(run)));
}

function rawBytes(run: string): Uint8Array {
  const pieces = run.split(/((?:%[0-9a-fA-F]{2})+)/);
  return Buffer.concat(
    pieces.map((piece, at) =>
      at % 2 === 0 ? Buffer.from(piece, 'utf8') : Buffer.from(piece.replaceAll('%', ''), 'hex'),
    ),
  );
}
