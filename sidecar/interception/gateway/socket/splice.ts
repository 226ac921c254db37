import type { Socket } from 'node:net';
import { resetConnection } from './reset-connection.ts';
import { readSocket } from './read-socket.ts';

/** Copies bytes both ways; each end closes the other. Both sockets may be paused. */
export function splice(one: Socket, other: Socket): void {
  copy(one, other);
  copy(other, one);
}

const SWITCHING_PROTOCOLS = 'HTTP/1.1 101';

/**
 * The same for a WebSocket whose handshake was sent: until the origin server has switched protocols, nothing more from the
 * client passes. Otherwise the connection could carry any request, unread, to a server that does not take WebSockets.
 */
export function spliceWebSocket(client: Socket, origin: Socket): void {
  copy(origin, client);
  let start = '';
  const readStatus = (chunk: Buffer): void => {
    start += chunk.toString('latin1', 0, SWITCHING_PROTOCOLS.length - start.length);
    if (start.length < SWITCHING_PROTOCOLS.length) return;
    origin.removeListener('data', readStatus);
    if (start === SWITCHING_PROTOCOLS) copy(client, origin);
    // Any further bytes of the client would be a request that nobody checks; the response itself passes.
    else client.once('data', () => client.destroy()).resume();
  };
  client.once('close', () => origin.destroy());
  origin.on('data', readStatus);
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
