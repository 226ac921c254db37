/** How to read a body, from its `Content-Type`. */
export interface ContentType {
  /**
   * `lines` has one JSON document per line; `words` is text that is neither JSON nor a form, whatever it looks like.
   * `other` covers JSON, forms, octet streams and no header at all: their text is tried as JSON, then as a form.
   */
  readonly kind: 'multipart' | 'xml' | 'lines' | 'words' | 'text' | 'other';
  /** The media type, lower case, without parameters; empty when there is none. */
  readonly value: string;
  /** The platform's name of the charset; null: not stated or not supported. */
  readonly charset: string | null;
  /** Null when missing: the parser then looks at the body's first line. */
  readonly boundary: string | null;
}

/** Reads a `Content-Type` header. Never throws; an unknown charset counts as none. */
export function parseContentType(header: string): ContentType {
  const value = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  return { kind: kindOf(value), value, charset: charsetOf(header), boundary: parameter(header, 'boundary') };
}

function kindOf(value: string): ContentType['kind'] {
  if (value.startsWith('multipart/')) return 'multipart';
  if (/[/+]xml$/.test(value)) return 'xml';
  if (/^application\/(?:x-)?(?:nd-?json|jsonl|jsonlines|json-seq)$/.test(value)) return 'lines';
  if (value === 'application/graphql') return 'words';
  return value.startsWith('text/') && value !== 'text/json' ? 'text' : 'other';
}

function parameter(header: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(header);
  return found?.[1] ?? found?.[2] ?? null;
}

function charsetOf(header: string): string | null {
  const label = parameter(header, 'charset');
  return label === null ? null : knownCharset(label);
}

/** The platform's name for a charset; null: not supported. */
export function knownCharset(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
