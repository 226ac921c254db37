import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/**
 * Decodes the `Content-Encoding` of request bodies. Analytics and mobile APIs gzip what they post, often as `text/plain` and
 * without the header, so gzip is also recognized by its magic number. The size is bounded: a small body can expand to
 * gigabytes.
 */

export interface Decompressed {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
  /** The bytes are incomplete. */
  readonly cut: boolean;
}

type Inflate = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
const CODECS: Readonly<Record<string, readonly Inflate[]>> = {
  gzip: [gunzipSync],
  'x-gzip': [gunzipSync],
  // "deflate" is zlib by the standard and raw deflate in practice.
  deflate: [inflateSync, inflateRawSync],
  br: [brotliDecompressSync],
  zstd: [zstdDecompressSync],
};
const MAX_LAYERS = 4;

/**
 * @param encoding the header's value, possibly several codings in the order they were applied; empty: none.
 * @param limit longest result in bytes.
 */
export function decompress(bytes: Uint8Array, encoding: string, limit: number): Decompressed {
  const named = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const layers = named.length === 0 && isGzip(bytes) ? ['gzip'] : named.reverse().slice(0, MAX_LAYERS);
  let current = bytes;
  for (const layer of layers) {
    const next = inflate(current, layer, limit);
    if (typeof next === 'string') return clip(current, limit, [next]);
    current = next;
  }
  return clip(current, limit, []);
}

function clip(bytes: Uint8Array, limit: number, notes: readonly string[]): Decompressed {
  if (bytes.length <= limit) return { bytes, notes, cut: notes.length > 0 };
  return {
    bytes: bytes.subarray(0, limit),
    notes: [...notes, `the body is longer than ${String(limit)} bytes and was truncated`],
    cut: true,
  };
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
}

/** The decompressed bytes, or the problem as a sentence. */
function inflate(bytes: Uint8Array, name: string, limit: number): Uint8Array | string {
  let problem = 'unknown encoding';
  for (const codec of Object.hasOwn(CODECS, name) ? (CODECS[name] ?? []) : []) {
    try {
      return codec(bytes, { maxOutputLength: limit });
    } catch (error) {
      problem = error instanceof Error ? error.message : 'it failed';
    }
  }
  return `content-encoding ${JSON.stringify(name.slice(0, 40))} could not be decoded: ${problem}`;
}
