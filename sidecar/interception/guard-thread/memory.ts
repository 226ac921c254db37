import type { RingMemory } from './ring.ts';

/** The memory that the guard's thread and the recorder's main thread share. */
export interface SharedMemory {
  /** See `phase.ts`. */
  readonly phase: Int32Array;
  /** One cell for each of the constants below, such as {@link READ_COUNT}. */
  readonly cells: Int32Array;
  readonly ring: RingMemory;
}

/** Number of reads that returned bytes from the browser; wraps. */
export const READ_COUNT = 0;
/** Not 0: the thread must exit. */
export const STOP_REQUESTED = 1;
/** Not 0: the thread has exited and sent its last report. */
export const EXITED = 2;
/** The thread's file descriptor of the pipe that the browser writes to; 0 while it is not open. */
export const EVENTS_FD = 3;
/** The same for the pipe that the browser reads from. */
export const COMMANDS_FD = 4;
/** Bytes that the thread has posted and the main thread has not read yet. */
export const PENDING_BYTES = 5;
const CELLS = 6;

/** The capacity of a pipe (Linux); no read returns more. */
export const PIPE_BYTES = 64 * 1024;
/** A page that makes a hundred requests at once fills a tenth of it. */
const RING_BYTES = 1 << 20;

export function createMemory(): SharedMemory {
  const shared = (count: number): Int32Array<SharedArrayBuffer> =>
    new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
  return {
    phase: shared(1),
    cells: shared(CELLS),
    ring: { bytes: new SharedArrayBuffer(RING_BYTES), positions: shared(2) },
  };
}
