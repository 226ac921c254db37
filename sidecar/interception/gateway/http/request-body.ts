/**
 * Finds where a request's body ends. The bytes are forwarded as they came; only their framing is read, strictly: chunk
 * extensions and trailers, which no browser sends and servers read in different ways, are refused.
 */
export interface BodyFraming {
  /** How many of these bytes belong to the body; null when its framing is malformed or ambiguous. */
  take(bytes: Uint8Array): number | null;
  /** The body is complete. */
  readonly done: boolean;
}

export function createBodyFraming(framing: number | 'chunked'): BodyFraming {
  return framing === 'chunked' ? readChunks() : new LengthReader(framing);
}

/** A class, since V8 creates objects with their own getter slowly and this is created for each request. */
class LengthReader implements BodyFraming {
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  take(bytes: Uint8Array): number {
    const count = Math.min(this.#left, bytes.length);
    this.#left -= count;
    return count;
  }

  get done(): boolean {
    return this.#left === 0;
  }
}

const CR = 13;
const LF = 10;
/** 2^40 bytes in one chunk; more digits could overflow another program's integer. */
const MAX_SIZE_DIGITS = 10;

/** `size CRLF data CRLF`, repeated, and `0 CRLF CRLF`. */
function readChunks(): BodyFraming {
  let state: 'size' | 'size-end' | 'data' | 'data-cr' | 'data-end' | 'last-cr' | 'last-end' | 'done' = 'size';
  let digits = 0;
  let left = 0;

  /** Takes one byte of the framing. @returns whether it is valid there. */
  const step = (byte: number): boolean => {
    switch (state) {
      case 'size':
        return size(byte);
      case 'size-end':
        state = left === 0 ? 'last-cr' : 'data';
        return byte === LF;
      case 'data-cr':
        state = 'data-end';
        return byte === CR;
      case 'data-end':
        state = 'size';
        digits = 0;
        return byte === LF;
      case 'last-cr':
        state = 'last-end';
        return byte === CR;
      default:
        state = 'done';
        return byte === LF;
    }
  };
  const size = (byte: number): boolean => {
    if (byte === CR) {
      state = 'size-end';
      return digits > 0;
    }
    digits += 1;
    left = left * 16 + Number.parseInt(String.fromCharCode(byte), 16);
    return digits <= MAX_SIZE_DIGITS && !Number.isNaN(left);
  };

  return {
    take: (bytes) => {
      let at = 0;
      while (at < bytes.length && state !== 'done') {
        if (state === 'data') {
          const count = Math.min(left, bytes.length - at);
          at += count;
          left -= count;
          if (left === 0) state = 'data-cr';
        } else if (!step(bytes[at++] as number)) return null;
      }
      return at;
    },
    get done() {
      return state === 'done';
    },
  };
}
