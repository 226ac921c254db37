import type { Duplex } from 'node:stream';

export type GatewayStatus =
  '400 Bad Request' | '403 Forbidden' | '431 Request Header Fields Too Large' | '502 Bad Gateway';

/**
 * The gateway's own answer; the connection ends with it. In the words of this product, so that a person who sees it in
 * the recording knows whose it is.
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

/** The same without words, for what no page shows. */
export function respondWithoutBody(client: Duplex, status: GatewayStatus): void {
  finish(
    client,
    `HTTP/1.1 ${status}\r\nx-clawbench-gateway: refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  );
}

/**
 * What has come already is read and dropped: a connection closed with bytes unread would take the answer with it. It
 * ends as soon as the answer is written, whatever may still come.
 */
function finish(client: Duplex, text: string): void {
  if (client.destroyed) return;
  client.once('finish', () => client.destroy());
  client.end(text);
  client.resume();
}
