/**
 * A pattern for every encoding of a secret: plain, in JSON, URLs, HTML and base64, and combinations, because one program's
 * escapes pass through the next one's. A list of complete encodings would miss some (Go escapes `&` in JSON, PHP escapes `/`,
 * form encoders keep `*`), so each character that some encoder escapes matches any of its escapes.
 *
 * Whitespace around a value is ignored: key files end in a line break that no program sends. Each line of a multi-line value
 * (a PEM file) is matched by itself, because logs indent and prefix lines.
 */

/** Shorter values would redact half of every file; secrets are longer. Counted without surrounding whitespace. */
export const MIN_SECRET_LENGTH = 4;
/** Minimum length of a line of a multi-line value: short ones (`}`, `{"a":`, the end of a base64 block) also occur in ordinary text. */
const MIN_LINE_LENGTH = 8;

/** The regular expression source for one family of encodings, and the maximum byte length of a text that it matches. */
interface Spelling {
  readonly source: string;
  readonly bytes: number;
}

/** A pattern that matches these secrets in every encoding, the longest first; null: there are no secrets. */
export function secretPattern(secrets: Iterable<string>): RegExp | null {
  const found = new Map<string, number>();
  for (const secret of secrets) for (const { source, bytes } of spellings(secret)) found.set(source, bytes);
  // Longest first: a plain secret inside a longer encoding must not leave the rest of the encoding behind.
  const sources = [...found].sort(([, a], [, b]) => b - a).map(([source]) => source);
  return sources.length === 0 ? null : new RegExp(sources.join('|'), 'g');
}

/** The byte length of a secret's longest encoding in UTF-8; 0: the value is not redacted. */
export function longestSpelling(secret: string): number {
  return Math.max(0, ...spellings(secret).map(({ bytes }) => bytes));
}

function spellings(secret: string): Spelling[] {
  return valuesOf(secret).flatMap((value) => [
    ...jsonLevels(value).map(anyEscapes),
    ...base64Forms(value).map(anyBase64),
  ]);
}

/** The value and its lines. */
function valuesOf(secret: string): string[] {
  const value = secret.trim();
  // In a string of a JSON document, line breaks are escaped.
  const lines = value.split(/[\r\n]+|(?:\\r)?\\n/).map((line) => line.trim());
  const long =
    lines.length === 1 ? [] : lines.filter((line) => line.length >= MIN_LINE_LENGTH && !line.startsWith('-----'));
  return [...new Set([value, ...long])].filter((one) => one.length >= MIN_SECRET_LENGTH && new Set(one).size > 1);
}

/** Plain, in a JSON string, and in JSON inside a JSON string. */
function jsonLevels(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, once, JSON.stringify(once).slice(1, -1)])];
}

/**
 * Inside a longer base64 text (`user:secret`) a value has three encodings, depending on its offset; the characters at both
 * ends depend on the neighboring bytes and are omitted.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const forms = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const head = Math.ceil((offset * 8) / 6);
    const tail = ((offset + bytes.length) * 8) % 6 === 0 ? 0 : 1;
    return text.slice(head, text.length - tail);
  });
  return [bytes.toString('base64'), ...forms].filter((form) => form.length >= MIN_SECRET_LENGTH);
}

/** No encoder escapes letters and digits. */
const NEVER_ESCAPED = /[A-Za-z0-9]/;
/** The longest escape of an ASCII character (`&#x00003c;`) and of any other one (four bytes, percent-encoded twice). */
const MOST_ASCII = 10;
const MOST_OTHER = 20;

function anyEscapes(text: string): Spelling {
  return join([...text.toWellFormed()], escapesOf);
}

function anyBase64(form: string): Spelling {
  const urlSafe: Readonly<Record<string, string>> = { '+': '-', '/': '_' };
  return join([...form], (char) => [...escapesOf(char), ...(char in urlSafe ? [urlSafe[char] ?? ''] : [])]);
}

function join(chars: readonly string[], escapes: (char: string) => readonly string[]): Spelling {
  const plain = (char: string): boolean => NEVER_ESCAPED.test(char);
  const most = (char: string): number => (plain(char) ? 1 : char.charCodeAt(0) < 0x80 ? MOST_ASCII : MOST_OTHER);
  return {
    source: chars.map((char) => (plain(char) ? char : `(?:${escapes(char).join('|')})`)).join(''),
    bytes: chars.reduce((sum, char) => sum + most(char), 0),
  };
}

const NAMED: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Sources of a character's escapes, followed by the character itself: `&` must not leave `amp;` behind. */
function escapesOf(char: string): string[] {
  const code = char.codePointAt(0) ?? 0;
  const percent = [...Buffer.from(char, 'utf8')].map((byte) => `%(?:25)?${hex(byte, 2)}`).join('');
  const json = [...Array(char.length).keys()].map((at) => `\\\\{1,2}u${hex(char.charCodeAt(at), 4)}`).join('');
  const html = [`0{0,4}${String(code)}`, `[xX]0{0,4}${hex(code, 0)}`, ...(char in NAMED ? [NAMED[char]] : [])];
  const named = html.map((name, at) => `&${at < 2 ? '#' : ''}${String(name)};`);
  const others = { ' ': ['\\+'], '/': ['\\\\/'] }[char] ?? [];
  return [percent, json, ...named, ...others, literal(char)];
}

function literal(char: string): string {
  return char.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
}

/** Hexadecimal digits in either case. */
function hex(value: number, width: number): string {
  const digits = value.toString(16).padStart(width, '0');
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
