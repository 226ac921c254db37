import type { OnReadOpts, Socket } from 'node:net';

/**
 * One buffer that a socket reads into repeatedly. By default Node allocates 64 KiB for every read, and tens of megabytes
 * wait for the garbage collector while a large response passes.
 */
export interface ReadBuffer {
  /** For `net.connect`. */
  readonly onread: OnReadOpts;
  /** Attaches the socket that was created with `onread`. */
  readonly serve: (socket: Socket) => Socket;
}

/**
 * Takes bytes that are valid only during the call.
 * @returns `held` when they are still needed afterwards, so that the buffer is not reused; `refused` when they were not
 * taken: the socket's stream then gets a copy.
 */
export type Borrow = (bytes: Buffer) => 'done' | 'held' | 'refused';

const SIZE = 64 * 1024;
const borrowers = new WeakMap<Socket, { borrow: Borrow | null }>();

export function createReadBuffer(): ReadBuffer {
  const own: { borrow: Borrow | null } = { borrow: null };
  let socket: Socket | null = null;
  let buffer = Buffer.allocUnsafeSlow(SIZE);
  return {
    onread: {
      buffer: () => buffer,
      callback: (count) => {
        const bytes = buffer.subarray(0, count);
        const outcome = own.borrow === null ? 'refused' : own.borrow(bytes);
        if (outcome === 'held') buffer = Buffer.allocUnsafeSlow(SIZE);
        return outcome !== 'refused' || socket === null || socket.push(Buffer.from(bytes));
      },
    },
    serve: (made) => {
      socket = made;
      borrowers.set(made, own);
      return made;
    },
  };
}

/** Lends what this socket reads from now on; does nothing for a socket without a read buffer. */
export function lendReads(socket: Socket, borrow: Borrow | null): void {
  const own = borrowers.get(socket);
  if (own !== undefined) own.borrow = borrow;
}
