import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The connection that carries each TLS connection terminated here. */
const carriers = new WeakMap<Socket, Socket>();

/** Records that `tls` runs over `carrier`, so that a reset reaches the browser. */
export function setTlsCarrier(tls: TLSSocket, carrier: Socket): void {
  carriers.set(tls, carrier);
}

/**
 * Closes a connection with a reset: its peer must not take the bytes it has for the whole response. TLS without a
 * close_notify is not enough, since Chromium treats that as a normal end (measured on 156): the carrier is reset.
 */
export function resetConnection(socket: Socket): void {
  const carrier = carriers.get(socket) ?? socket;
  // Our own TLS to an origin server: no browser is at the other end, and a wrapped socket has no reset.
  if (carrier instanceof TLSSocket) carrier.destroy();
  else carrier.resetAndDestroy();
}
