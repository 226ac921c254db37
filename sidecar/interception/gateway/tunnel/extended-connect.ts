import { connect, type Settings } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/**
 * Whether a site takes WebSockets inside an HTTP/2 connection (RFC 8441). Chromium then opens them on the connection
 * that it already has: no handshake of its own shows at the gateway, and Fetch does not pause it either. Seen with
 * Chromium 156: it was the one way by which a GET task's URL could still be reached.
 */

const PATIENCE_MS = 5_000;

/** @param socket a TLS connection that offers `h2`. In doubt (no answer, an error) the answer is true. Ends the socket. */
export async function supportsExtendedConnect(socket: TLSSocket): Promise<boolean> {
  const failed = new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(true));
    socket.once('close', () => resolve(true));
    setTimeout(() => resolve(true), PATIENCE_MS).unref();
  });
  const secured = new Promise<boolean>((resolve) => {
    socket.once('secureConnect', () => resolve(socket.alpnProtocol === 'h2' ? askSettings(socket) : false));
  });
  try {
    return await Promise.race([secured, failed]);
  } finally {
    socket.destroy();
  }
}

function askSettings(socket: TLSSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect('https://site.invalid', { createConnection: () => socket });
    session.once('remoteSettings', (settings: Settings) => {
      resolve(settings.enableConnectProtocol === true);
      session.destroy();
    });
    session.once('error', () => resolve(true));
  });
}
