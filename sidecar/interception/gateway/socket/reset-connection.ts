import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The connections under TLS that ends here. */
const below = new WeakMap<Socket, Socket>();

/** @param carrier the connection that `tls` goes over. */
export function setTlsCarrier(tls: TLSSocket, carrier: Socket): void {
  below.set(tls, carrier);
}

/**
 * Ends a connection as one that broke: its peer must not take what it has for all there was. TLS without a farewell is
 * not enough, Chromium takes that for an end (measured on 156): the connection below is reset.
 */
export function resetConnection(socket: Socket): void {
  const carrier = below.get(socket) ?? socket;
  // TLS of ours to a site: no browser is there to be misled, and a wrapped socket has no reset.
  if (carrier instanceof TLSSocket) carrier.destroy();
  else carrier.resetAndDestroy();
}
