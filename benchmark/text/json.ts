/**
 * Lossless JSON. Request bodies of live sites contain 64-bit IDs (`JSON.parse` rounds them above 2^53, and to a judge a rounded ID
 * is a wrong ID), `NaN` written by Python back ends, and hostile nesting: 5,000 open brackets overflow the stack of every
 * recursive writer. V8's parser is iterative, so parsing is safe and only writing has a limit.
 */

/** A parsed value; integers that a double cannot hold are `bigint`. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** A deeper value is written as text: far deeper than any real body, far below the limit of the stack. */
export const MAX_WRITTEN_DEPTH = 500;

export type JsonParse =
  | { readonly ok: true; readonly value: JsonValue; /** Too deep to be written back. */ readonly deep: boolean }
  | { readonly ok: false };

/** An integer that may be above 2^53 (not a price with sixteen decimals). A match inside a string only costs time. */
const LONG_INTEGER = /(?:^|[:,[\s])-?\d{16}/;
const QUOTE_OR_NON_FINITE = /"|-?\b(?:NaN|Infinity)\b/g;
const MARK = '\uE000non-finite:';

/** Parses JSON as Python's parser does (`NaN` and `Infinity` allowed, last duplicate key wins, big integers exact). Never throws. */
export function parseJson(text: string): JsonParse {
  const plain = tryParse(text);
  if (plain !== undefined) {
    const deep = isDeep(text);
    return { ok: true, value: !deep && LONG_INTEGER.test(text) ? exact(text) : plain, deep };
  }
  if (!/NaN|Infinity/.test(text) || isDeep(text)) return { ok: false };
  const marked = markNonFinite(text);
  return tryParse(marked) === undefined ? { ok: false } : { ok: true, value: exact(marked), deep: false };
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Strings are skipped by hand: an expression for one of 16 MB would overflow the stack of the engine. */
function markNonFinite(text: string): string {
  let [marked, from] = ['', 0];
  const next = new RegExp(QUOTE_OR_NON_FINITE);
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    if (found[0] === '"') next.lastIndex = endOfString(text, found.index) + 1;
    else {
      marked += `${text.slice(from, found.index)}"${MARK}${found[0]}"`;
      from = next.lastIndex;
    }
  }
  return marked + text.slice(from);
}

type Reviver = (key: string, value: JsonValue, context?: { source?: string }) => JsonValue;

/** The reviver walks recursively: only for text that is known to be shallow. */
function exact(text: string): JsonValue {
  const revive: Reviver = (_key, value, context) => {
    if (typeof value === 'string' && value.startsWith(MARK)) return Number(value.slice(MARK.length));
    const source = context?.source;
    if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  };
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as JsonValue;
}

/** Whether brackets outside strings nest deeper than {@link MAX_WRITTEN_DEPTH}. Linear, no recursion. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) at = endOfString(text, at);
    else if (char === 0x5b || char === 0x7b) depth++;
    else if (char === 0x5d || char === 0x7d) depth--;
    if (depth > MAX_WRITTEN_DEPTH) return true;
  }
  return false;
}

/** The index of the quote that closes the string which opens at `start`; the end of the text when none does. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at++;
    else if (char === 0x22) return at;
  }
  return text.length;
}

/** Node supports it, but TypeScript's library does not declare it yet. */
const RAW = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * Writes JSON; `bigint` comes out as its digits, non-finite numbers as `null` (JSON cannot express them).
 * @param indent spaces per level; 0: one line.
 */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    // A replacer makes every value several times as expensive, and few rows contain a `bigint`: without one, the first throws.
    return JSON.stringify(value, undefined, indent);
  } catch {
    // Whatever else throws (a cycle) throws here too.
    return JSON.stringify(value, writeDigits, indent);
  }
}

function writeDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? RAW.rawJSON(value.toString()) : value;
}

/** Whether a value is an object in JSON's sense (not null, not an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property, or undefined: `__proto__` and `constructor` of a hostile body are ordinary keys. */
export function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property, `__proto__` included: that name alone is not a plain object's to assign. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** JSON pointer (RFC 6901) to a path of keys and indexes; empty for the whole document. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
