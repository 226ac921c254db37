/**
 * A ring buffer in shared memory that carries frames from one thread to another, in order: one thread writes, one reads,
 * neither waits and neither is woken. Positions count bytes since the start and wrap at 32 bits; the size is a power of
 * two, so their difference stays right.
 *
 * A frame is its length (4 bytes), its time (8 bytes) and its bytes, padded to a multiple of 4. Frames are contiguous:
 * when one does not fit at the end of the memory, that end is skipped.
 */
export interface RingMemory {
  readonly bytes: SharedArrayBuffer;
  /** Two cells: bytes written, bytes read. */
  readonly positions: Int32Array;
}

export interface Frame {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly bytes: Buffer;
}

export interface RingWriter {
  /** @returns false when there is no room; the frame must then be sent another way. */
  put(at: number, bytes: Uint8Array): boolean;
  /** Where the next frame begins; a reader that has read up to here has read everything so far. */
  readonly position: number;
}

export interface RingReader {
  /** A copy of the next frame; null when there is none before that position, or when reading is past it already. */
  next(before: number): Frame | null;
  /** The writer's position. */
  readonly position: number;
}

const WRITTEN = 0;
const READ = 1;
const HEAD_BYTES = 12;
const SKIP = 0xffff_ffff;

export function ringWriter({ bytes, positions }: RingMemory): RingWriter {
  const size = bytes.byteLength;
  const memory = new Uint8Array(bytes);
  const view = new DataView(bytes);
  return {
    put: (at, frame) => {
      let position = Atomics.load(positions, WRITTEN);
      const need = HEAD_BYTES + ((frame.length + 3) & ~3);
      const offset = position & (size - 1);
      const skipped = offset + need > size ? size - offset : 0;
      const used = (position - Atomics.load(positions, READ)) >>> 0;
      if (used + skipped + need > size) return false;
      if (skipped > 0) {
        view.setUint32(offset, SKIP, true);
        position = (position + skipped) | 0;
      }
      const start = position & (size - 1);
      view.setUint32(start, frame.length, true);
      view.setFloat64(start + 4, at, true);
      memory.set(frame, start + HEAD_BYTES);
      // The other thread sees the bytes before it sees the new position.
      Atomics.store(positions, WRITTEN, (position + need) | 0);
      return true;
    },
    get position() {
      return Atomics.load(positions, WRITTEN);
    },
  };
}

export function ringReader({ bytes, positions }: RingMemory): RingReader {
  const size = bytes.byteLength;
  const memory = Buffer.from(bytes);
  const view = new DataView(bytes);
  return {
    next: (before) => {
      let position = Atomics.load(positions, READ);
      if (((before - position) | 0) <= 0) return null;
      if (view.getUint32(position & (size - 1), true) === SKIP)
        position = (position + size - (position & (size - 1))) | 0;
      const start = position & (size - 1);
      const length = view.getUint32(start, true);
      const at = view.getFloat64(start + 4, true);
      const frame = Buffer.from(memory.subarray(start + HEAD_BYTES, start + HEAD_BYTES + length));
      Atomics.store(positions, READ, (position + HEAD_BYTES + ((length + 3) & ~3)) | 0);
      return { at, bytes: frame };
    },
    get position() {
      return Atomics.load(positions, WRITTEN);
    },
  };
}
