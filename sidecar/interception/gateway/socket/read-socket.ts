import type { Socket } from 'node:net';
import { lendReads } from './read-buffer.ts';

/**
 * `socket.on('data', take)` for less: what a socket reads goes straight to `take` while the stream flows and holds
 * nothing. The stream's own bookkeeping, and the turn of the tick queue that it asks for, are a quarter of what a message
 * costs here. It stands behind this for everything else (paused, bytes put back, the end, a second listener), and alone
 * should Node's sockets no longer hand what they read to `push`. One taker at a time.
 * @param to where `take` writes the bytes, and nowhere else: they may be overwritten once `to` holds none.
 * @returns ends it.
 */
export function readSocket(socket: Socket, take: (chunk: Buffer) => void, to?: Socket): () => void {
  const ordinary = socket.push.bind(socket);
  const mayPass = (): boolean =>
    socket.readableFlowing === true && socket.readableLength === 0 && socket.listenerCount('data') === 1;
  const straight = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null || !mayPass()) return ordinary(chunk, encoding);
    take(chunk);
    // Reading goes on even when `take` paused it: the next chunk goes the ordinary way, which stops in time.
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
