import type { Socket } from 'node:net';
import { resetConnection } from './reset-connection.ts';
import { readSocket } from './read-socket.ts';

/** Bytes both ways, as they come; each end ends the other. Both may be paused. */
export function splice(one: Socket, other: Socket): void {
  copy(one, other);
  copy(other, one);
}

const SWITCHED = 'HTTP/1.1 101';

/**
 * The same for a WebSocket whose handshake is on its way: until the site has switched protocols, nothing more of the
 * client passes. Else the connection would carry any request, unread, to a site that takes no WebSockets.
 */
export function spliceWebSocket(client: Socket, upstream: Socket): void {
  copy(upstream, client);
  let start = '';
  const look = (chunk: Buffer): void => {
    start += chunk.toString('latin1', 0, SWITCHED.length - start.length);
    if (start.length < SWITCHED.length) return;
    upstream.removeListener('data', look);
    if (start === SWITCHED) copy(client, upstream);
    // Whatever else the client says would be a request that nobody reads; the answer itself goes on.
    else client.once('data', () => client.destroy()).resume();
  };
  client.once('close', () => upstream.destroy());
  upstream.on('data', look);
}

function copy(from: Socket, to: Socket): void {
  const pass = (chunk: Buffer): void => {
    if (!to.write(chunk)) from.pause();
  };
  readSocket(from, pass, to);
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
  from.once('close', (broken) => {
    if (broken) resetConnection(to);
    else to.destroySoon();
  });
  from.on('error', () => from.destroy());
  from.resume();
}
