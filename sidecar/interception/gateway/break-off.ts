import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Ends a connection as one that broke: its peer must not take what it has for all there was. */
export function breakOff(socket: Socket): void {
  // Inside TLS an end without a farewell says the same, and its socket has no reset of its own.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
