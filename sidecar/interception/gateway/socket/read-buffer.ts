import type { OnReadOpts, Socket } from 'node:net';

/**
 * One buffer into which a socket reads again and again. Node's own way makes 64 KiB for every read, and tens of
 * megabytes of them wait for the collector while a large answer passes.
 */
export interface ReadBuffer {
  /** For `net.connect`. */
  readonly onread: OnReadOpts;
  /** The socket that was made with it. */
  readonly serve: (socket: Socket) => Socket;
}

/**
 * Takes bytes that stay what they are only during the call.
 * @returns `held` when somebody still reads them afterwards, so that they are left to him; `refused` when they were not
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

/** Lends what this socket reads from now on; of a socket with no buffer of its own, nothing. */
export function lendReads(socket: Socket, borrow: Borrow | null): void {
  const own = borrowers.get(socket);
  if (own !== undefined) own.borrow = borrow;
}
