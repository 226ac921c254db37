import { connect, type Settings } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/**
 * Whether an origin server takes WebSockets inside an HTTP/2 connection (extended CONNECT, RFC 8441). Chromium then opens
 * them on the connection that it already has: the gateway sees no handshake, and Fetch does not pause one either. Seen with
 * Chromium 156: it was the one way by which a GET task's URL could still be reached.
 */

const TIMEOUT_MS = 5_000;

/** @param socket a TLS connection that offers `h2`. Destroyed on return. @returns true in doubt (no response, an error). */
export async function supportsExtendedConnect(socket: TLSSocket): Promise<boolean> {
  const failed = new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(true));
    socket.once('close', () => resolve(true));
    setTimeout(() => resolve(true), TIMEOUT_MS).unref();
  });
  const secured = new Promise<boolean>((resolve) => {
    socket.once('secureConnect', () => resolve(socket.alpnProtocol === 'h2' ? readSettings(socket) : false));
  });
  try {
    return await Promise.race([secured, failed]);
  } finally {
    socket.destroy();
  }
}

function readSettings(socket: TLSSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect('https://site.invalid', { createConnection: () => socket });
    session.once('remoteSettings', (settings: Settings) => {
      resolve(settings.enableConnectProtocol === true);
      session.destroy();
    });
    session.once('error', () => resolve(true));
  });
}
