import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { blocked, type GatewayContext } from './context.ts';
import { connectTo } from './connect.ts';
import { forward, siteOf, type PlainRequest } from './forward.ts';
import { routeTo } from './route.ts';

/** Which site a decrypted connection stands for. */
export type InnerOrigins = WeakMap<Duplex, Omit<PlainRequest, 'path'>>;

/** Requests inside a tunnel whose TLS ends here: even a WebSocket's path can be read. */
export function innerServer(context: GatewayContext, origins: InnerOrigins): Server {
  const server = createServer(
    { maxHeaderSize: 256 * 1024, keepAliveTimeout: 300_000, requestTimeout: 0 },
    (request, response) => {
      const origin = origins.get(request.socket);
      if (origin === undefined) return void request.socket.destroy();
      forward(context, { ...origin, path: request.url ?? '/' }, request, response);
    },
  );
  server.on('upgrade', (request, client, head) => {
    const origin = origins.get(request.socket);
    if (origin === undefined || !upgrade(context, { ...origin, path: request.url ?? '/' }, { request, client, head }))
      client.destroy();
  });
  server.on('clientError', (_error, client) => client.destroy());
  return server;
}

/** Passes a WebSocket on, or answers false. */
function upgrade(
  context: GatewayContext,
  plain: PlainRequest,
  handshake: { readonly request: IncomingMessage; readonly client: Duplex; readonly head: Buffer },
): boolean {
  const { request, client, head } = handshake;
  const standard = plain.port === (plain.scheme === 'http' ? 80 : 443);
  const url = `${plain.scheme === 'http' ? 'ws' : 'wss'}://${plain.host}${standard ? '' : `:${plain.port}`}${plain.path}`;
  if (context.phase.current !== 'armed') return false;
  if (context.socketRule.refusesUrl(url)) {
    blocked(context, 'socket', { url, method: 'GET' });
    return false;
  }
  const route = routeTo(context.rules, plain);
  const elsewhere = route.kind !== 'mapped' && route.kind !== 'direct';
  if (elsewhere || !/^websocket$/i.test(request.headers.upgrade ?? '')) return false;
  const upstream = connectTo({ ...siteOf(plain, route), ownPorts: context.ownPorts });
  context.traffic.upstream(upstream, plain.host);
  upstream.once('close', () => client.destroy());
  client.once('close', () => upstream.destroy());
  client.on('error', () => client.destroy());
  upstream.write(`${headOf(request)}\r\n`);
  upstream.write(head);
  client.pipe(upstream);
  upstream.pipe(client);
  return true;
}

function headOf(request: IncomingMessage): string {
  const { rawHeaders } = request;
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n`;
}
