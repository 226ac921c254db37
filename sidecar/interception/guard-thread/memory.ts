import type { RingMemory } from './ring.ts';

/** What the guard's thread and the recorder's main thread both see. */
export interface SharedMemory {
  /** See `phase.ts`. */
  readonly phase: Int32Array;
  /** One cell each: {@link READ_COUNT} and its like. */
  readonly cells: Int32Array;
  readonly ring: RingMemory;
}

/** Reads that brought bytes of the browser; wraps. */
export const READ_COUNT = 0;
/** Not 0: the thread is to leave. */
export const STOP_REQUESTED = 1;
/** Not 0: the thread has left, and everything that it had to say is said. */
export const EXITED = 2;
/** Not 0: an order to the thread waits in its port. */
export const INBOX = 3;
/** The thread's end of the pipe that the browser writes, as a number of an open file; 0 before. */
export const EVENTS_FD = 4;
/** The same of the pipe that the browser reads. */
export const COMMANDS_FD = 5;
/** Bytes that the thread has posted and the main thread has not taken over. */
export const PENDING_BYTES = 6;
const CELLS = 7;

/** What a pipe holds (Linux); no read brings more. */
export const PIPE_BYTES = 64 * 1024;
/** A page that asks for a hundred things at once fills a tenth of it. */
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
