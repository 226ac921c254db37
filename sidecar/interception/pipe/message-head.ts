/**
 * Reads the head of a `Fetch.requestPaused` message while its body is still arriving. Chromium writes the fields in
 * the order of its protocol file: requestId, url, method and headers come before `postData`, so the decision about an
 * 8 MB upload needs the first kilobyte of its 19 MB message. Any other order is `other`: the caller then waits for
 * the whole message, which is slower and equally correct.
 */
export interface PausedHead {
  readonly requestId: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type HeadScan =
  | { readonly kind: 'more' }
  | { readonly kind: 'other' }
  /** `end`: the offset after the headers' closing brace. */
  | { readonly kind: 'head'; readonly head: PausedHead; readonly end: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MORE: HeadScan = { kind: 'more' };
const OTHER: HeadScan = { kind: 'other' };

/** Scans from the first byte of a message. Pure; may be called again with more bytes. */
export function scanHead(bytes: Buffer): HeadScan {
  const cursor = new Cursor(bytes);
  const requestId = cursor.field('{"method":"Fetch.requestPaused","params":{"requestId":');
  const url = cursor.field(',"request":{"url":');
  if (cursor.at(',"urlFragment":')) cursor.field(',"urlFragment":');
  const method = cursor.field(',"method":');
  const headers = cursor.stringMap(',"headers":{');
  if (cursor.state !== 'reading') return cursor.state === 'short' ? MORE : OTHER;
  return { kind: 'head', head: { requestId, url, method, headers }, end: cursor.position };
}

/** Once short or lost, every further read is a no-op, so the scan above stays a plain list of fields. */
class Cursor {
  state: 'reading' | 'short' | 'lost' = 'reading';
  position = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  at(literal: string): boolean {
    if (this.state !== 'reading') return false;
    const have = this.#bytes.subarray(this.position, this.position + literal.length).toString('latin1');
    if (have === literal) return true;
    // A shorter buffer that agrees so far is undecided.
    if (have.length < literal.length && literal.startsWith(have)) this.state = 'short';
    return false;
  }

  literal(text: string): void {
    if (this.state !== 'reading') return;
    if (this.at(text)) this.position += text.length;
    else if (this.state === 'reading') this.state = 'lost';
  }

  field(name: string): string {
    this.literal(name);
    return this.string();
  }

  string(): string {
    this.literal('"');
    if (this.state !== 'reading') return '';
    const end = closingQuote(this.#bytes, this.position);
    if (end === -1) {
      this.state = 'short';
      return '';
    }
    const raw = this.#bytes.subarray(this.position, end).toString('utf8');
    this.position = end + 1;
    return raw.includes('\\') ? this.#unescape(raw) : raw;
  }

  stringMap(opening: string): Record<string, string> {
    const fields: [string, string][] = [];
    this.literal(opening);
    if (this.at('}')) {
      this.literal('}');
      return {};
    }
    while (this.state === 'reading') {
      const name = this.string();
      fields.push([name, this.field(':')]);
      if (!this.at(',')) break;
      this.literal(',');
    }
    this.literal('}');
    // As JSON.parse does, `__proto__` included.
    return Object.fromEntries(fields);
  }

  #unescape(raw: string): string {
    try {
      return JSON.parse(`"${raw}"`) as string;
    } catch {
      this.state = 'lost';
      return '';
    }
  }
}

/** Offset of the quote that ends the string begun before `from`, or -1. */
function closingQuote(bytes: Buffer, from: number): number {
  let quote = bytes.indexOf(QUOTE, from);
  while (quote !== -1) {
    let slashes = 0;
    while (quote - slashes > from && bytes[quote - slashes - 1] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return -1;
}
