import { isObject } from './json.ts';

/**
 * What must not leave the pod: credentials in headers, and values that we know to be secret (keys, mailbox password)
 * wherever they turn up and however they are spelled. Upstream uploads both as they are (upstream.md S5).
 */

const REDACTED = '[REDACTED]';

const SECRET_HEADER =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|.*(?:api-?key|token|secret|password|passwd|session-?id|signature|credential).*|x-auth.*)$/i;
/** Says where a token is, not what it is. */
const HARMLESS_HEADER = /^(?:access-control-.*|sec-.*)$/i;

/** Headers with credentials replaced: the scheme of `Authorization` and the names of cookies stay. Hostile shapes become strings. */
export function redactHeaders(headers: unknown): Record<string, string> {
  const clean: Record<string, string> = {};
  if (!isObject(headers)) return clean;
  for (const [name, value] of Object.entries(headers)) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    Object.defineProperty(clean, name, {
      value: redactHeader(name, text),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return clean;
}

function redactHeader(name: string, value: string): string {
  if (HARMLESS_HEADER.test(name) || !SECRET_HEADER.test(name)) return value;
  if (/^cookie$/i.test(name)) return value.replace(/=[^;]*/g, `=${REDACTED}`);
  if (/^set-cookie2?$/i.test(name)) return value.replace(/=[^;]*/, `=${REDACTED}`);
  const scheme = /authorization$/i.test(name) ? /^([A-Za-z][\w-]*)\s+\S/.exec(value)?.[1] : undefined;
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
}

/** Shorter values would redact half the file; secrets are longer. */
export const MIN_SECRET_LENGTH = 4;

/** Replaces known secrets in text. Build a new one when a secret is added. */
export type Redactor = (text: string) => string;

/** A redactor of these values in plain, JSON-escaped, URL-encoded and base64 form (at each of the three alignments). */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const forms = new Set<string>();
  for (const secret of secrets) for (const form of secretForms(secret)) forms.add(form);
  if (forms.size === 0) return (text) => text;
  // Longest first: a plain secret inside a longer spelling must not leave the rest of the spelling behind.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const any = new RegExp(longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
  return (text) => text.replace(any, REDACTED);
}

/** Every spelling in which a value is looked for. */
export function secretForms(secret: string): string[] {
  if (secret.length < MIN_SECRET_LENGTH) return [];
  const encoded = encodeURIComponent(secret.toWellFormed());
  // Three habits of encoding: scripts, strict encoders, and form submission (which leaves `*` and makes `+` of a space).
  const strict = encoded.replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const encodings = [encoded, strict, form, form.replaceAll('+', '%20')];
  const inJson = JSON.stringify(secret).slice(1, -1);
  // JSON inside a JSON string, and JSON of writers that keep to ASCII (Python's).
  const nested = [inJson, JSON.stringify(inJson).slice(1, -1), asciiJson(inJson)];
  const plain = [secret, ...nested, ...encodings, ...encodings.map(lowerEscapes)];
  return [...new Set([...plain, ...base64Forms(secret)])];
}

function asciiJson(json: string): string {
  return json.replace(/[^\x00-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}

/**
 * Inside a longer base64 text (`user:secret`) a value has three spellings, by its offset; the characters at both ends
 * depend on the neighbours and are left out.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const head = Math.ceil((offset * 8) / 6);
    const tail = ((offset + bytes.length) * 8) % 6 === 0 ? 0 : 1;
    return text.slice(head, text.length - tail);
  });
  const whole = bytes.toString('base64');
  return [whole, ...forms]
    .filter((form) => form.length >= MIN_SECRET_LENGTH)
    .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
