/**
 * Frames from one thread to another through shared memory, in order: one writes, one reads, nobody waits and nobody is
 * woken. Positions count bytes since the start and wrap at 32 bits; the size is a power of two, so they still subtract.
 *
 * A frame: its length (4 bytes), when (8), its bytes, filled up to a multiple of 4. Frames are in one piece: the end of
 * the memory is skipped when one does not fit there.
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
  /** False when there is no room: the frame has to go another way. */
  put(at: number, bytes: Uint8Array): boolean;
  /** Where the next frame begins: who reads up to here has read all so far. */
  readonly position: number;
}

export interface RingReader {
  /** The next frame, copied; null when there is none before that position, or when reading is past it already. */
  next(before: number): Frame | null;
  /** As the writer's. */
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
      // The other thread sees the bytes before it sees that they are there.
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
