/** First and last byte, inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110, section 14). Seeking in a video needs a single range;
 * several ranges and invalid headers get the whole file, as the RFC allows.
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec((header ?? '').trim());
  const [first, last] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (first !== '') return fromStart(Number(first), last === '' ? Infinity : Number(last), size);
  return last === '' ? 'whole' : fromEnd(Number(last), size);
}

function fromStart(start: number, end: number, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (end < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

function fromEnd(count: number, size: number): ByteRange | 'unsatisfiable' {
  const length = Math.min(count, size);
  return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
}
