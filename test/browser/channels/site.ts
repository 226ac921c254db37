import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { makeIdentity, type Identity } from './identity.ts';
import { pageFor } from './pages.ts';

/** Origins of the test site: one server that is three sites to the browser. The target is always on `shop`. */
export interface ChannelOrigins {
  readonly shop: string;
  readonly other: string;
  readonly third: string;
}

/**
 * The site that decides: a request that it has not seen has not left. TLS is end-to-end, not terminated in the gateway, so
 * that only the browser and the guard know what is inside. It speaks HTTP/2 as most sites do, including WebSockets over it.
 */
export interface ChannelSite extends ChannelOrigins {
  readonly port: number;
  /** The hash of its certificate's key, for `--ignore-certificate-errors-spki-list`. */
  readonly spki: string;
  /** Its certificate, PEM. */
  readonly certificate: string;
  readonly arrived: readonly ArrivedAtChannelSite[];
  /** The requests that arrived with this token in the path. In a query it only tells a helper page what to do. */
  with(token: string): ArrivedAtChannelSite[];
  close(): Promise<void>;
}

export interface ArrivedAtChannelSite {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Three loopback addresses: to a browser these are three sites. */
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;

export async function startChannelSite(): Promise<ChannelSite> {
  const arrived: ArrivedAtChannelSite[] = [];
  const identity = await makeIdentity(ADDRESSES);
  const servers: Http2SecureServer[] = [];
  const sockets = new Set<Duplex>();
  let port = 0;
  for (const address of ADDRESSES) {
    const server = serve(identity, arrived, sockets);
    server.listen(port, address);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  const [shop, other, third] = ADDRESSES.map((address) => `https://${address}:${port}`) as [string, string, string];
  return {
    shop,
    other,
    third,
    port,
    spki: identity.spki,
    certificate: identity.cert,
    arrived,
    with: (token) => arrived.filter(({ path }) => path.split('?', 1)[0]?.includes(token) === true),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function serve(identity: Identity, arrived: ArrivedAtChannelSite[], sockets: Set<Duplex>): Http2SecureServer {
  const server = createSecureServer({
    key: identity.key,
    cert: identity.cert,
    allowHTTP1: true,
    settings: { enableConnectProtocol: true },
  });
  server.on('request', (request, response) => answer(request, response, arrived));
  // WebSocket over HTTP/2 (RFC 8441), on a connection that the browser already has.
  server.on('connect', (request: Http2ServerRequest, response: Http2ServerResponse) => {
    arrived.push(record(request, Buffer.alloc(0)));
    const stream = response.stream;
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
  });
  // Over HTTP/1.1.
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    arrived.push(record(request as unknown as Http2ServerRequest, Buffer.alloc(0)));
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  return server;
}

function answer(request: Http2ServerRequest, response: Http2ServerResponse, arrived: ArrivedAtChannelSite[]): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('error', () => undefined);
  response.stream?.on('error', () => undefined);
  request.on('end', () => {
    arrived.push(record(request, Buffer.concat(chunks)));
    const page = pageFor(request.url);
    response.writeHead(page.status, {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': '*',
      'cache-control': 'no-store',
      ...page.headers,
    });
    response.end(page.body);
  });
}

function record(request: Http2ServerRequest, body: Buffer): ArrivedAtChannelSite {
  return {
    method: request.method,
    path: request.url,
    host: request.headers[':authority'] ?? request.headers.host ?? '',
    contentType: request.headers['content-type'] ?? '',
    body,
  };
}
