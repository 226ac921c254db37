import type { Duplex } from 'node:stream';

export type GatewayStatus =
  '400 Bad Request' | '403 Forbidden' | '431 Request Header Fields Too Large' | '502 Bad Gateway';

/**
 * Sends the gateway's own response and closes the connection. The text names this product, so that a person who sees it in
 * the recording knows where it comes from.
 */
export function respond(client: Duplex, status: GatewayStatus, message: string): void {
  const text = `ClawBench gateway: ${message}.\n`;
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: text/plain; charset=utf-8',
    'x-clawbench-gateway: refused',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  finish(client, `${head.join('\r\n')}\r\n\r\n${text}`);
}

/** The same without a body, for requests whose response no page shows. */
export function respondWithoutBody(client: Duplex, status: GatewayStatus): void {
  finish(
    client,
    `HTTP/1.1 ${status}\r\nx-clawbench-gateway: refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  );
}

/**
 * Bytes that have arrived are read and dropped: closing a connection with unread bytes would discard the response. The
 * connection closes as soon as the response is written, whatever may still arrive.
 */
function finish(client: Duplex, text: string): void {
  if (client.destroyed) return;
  client.once('finish', () => client.destroy());
  client.end(text);
  client.resume();
}
