/** How a body is to be read, from its `Content-Type`. */
export interface ContentType {
  /** `other` covers JSON, forms, octet streams and no header at all: their text is tried as JSON, then as a form. */
  readonly kind: 'multipart' | 'text' | 'other';
  /** The media type, lower case, without parameters; empty when there is none. */
  readonly value: string;
  readonly charset: string;
  /** Null when missing: the parser then looks at the body's first line. */
  readonly boundary: string | null;
}

/** Reads a `Content-Type` header. Never throws; unknown charsets become UTF-8. */
export function parseContentType(header: string): ContentType {
  const value = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  return { kind: kindOf(value), value, charset: charsetOf(header), boundary: parameter(header, 'boundary') };
}

function kindOf(value: string): ContentType['kind'] {
  if (value === 'multipart/form-data') return 'multipart';
  return value.startsWith('text/') && value !== 'text/json' ? 'text' : 'other';
}

function parameter(header: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(header);
  return found?.[1] ?? found?.[2] ?? null;
}

function charsetOf(header: string): string {
  const label = parameter(header, 'charset');
  if (label === null) return 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}
