import type { Socket } from 'node:net';
import { lendReads } from './read-buffer.ts';

/**
 * A cheaper `socket.on('data', take)`: what a socket reads goes straight to `take` while the stream flows and buffers
 * nothing. The stream's own bookkeeping, and the tick that it schedules, are a quarter of what a message costs here. The
 * stream still handles everything else (paused, bytes put back, the end, a second listener), and all of it if Node's
 * sockets should stop passing what they read to `push`. One reader at a time.
 * @param to the only socket to which `take` writes the bytes: they may be overwritten once `to` buffers none.
 * @returns a function that stops reading.
 */
export function readSocket(socket: Socket, take: (chunk: Buffer) => void, to?: Socket): () => void {
  const ordinary = socket.push.bind(socket);
  const mayPass = (): boolean =>
    socket.readableFlowing === true && socket.readableLength === 0 && socket.listenerCount('data') === 1;
  const straight = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null || !mayPass()) return ordinary(chunk, encoding);
    take(chunk);
    // Reading continues even when `take` paused the socket: the next chunk goes the ordinary way, which stops in time.
    return true;
  };
  socket.on('data', take);
  socket.push = straight;
  if (to !== undefined)
    lendReads(socket, (bytes) => {
      if (!mayPass()) return 'refused';
      take(bytes);
      return to.writableLength > 0 ? 'held' : 'done';
    });
  return () => {
    socket.removeListener('data', take);
    if (socket.push !== straight) return;
    socket.push = ordinary;
    lendReads(socket, null);
  };
}
