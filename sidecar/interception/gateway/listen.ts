import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { GatewayContext } from './context.ts';
import { forward, type PlainRequest } from './forward.ts';
import { innerServer, type InnerOrigins } from './inner-server.ts';
import { createTlsEnding } from './tls-ending.ts';
import { openTunnel, type TunnelServers } from './tunnel.ts';

/**
 * The browser's only way out: an HTTP forward proxy in the guard's own process, so that what kills the guard takes the
 * way out with it. Whatever is not armed is turned away.
 */
export interface Gateway {
  readonly proxyPort: number | null;
  close(): Promise<void>;
}

export async function listenGateway(
  context: GatewayContext,
  socketPath: string,
  proxyPort: number | undefined,
): Promise<Gateway> {
  await rm(socketPath, { force: true });
  const origins: InnerOrigins = new WeakMap();
  const inner = innerServer(context, origins);
  const endsTls = createTlsEnding(context);
  const servers: Server[] = [];
  const open = (): Server => {
    const server = proxyServer(context, { inner, origins, endsTls });
    servers.push(server);
    return server;
  };
  await once(open().listen(socketPath), 'listening');
  let port: number | null = null;
  if (proxyPort !== undefined) {
    const server = open().listen(proxyPort, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    context.ownPorts.add(port);
  }
  return {
    proxyPort: port,
    close: async () => {
      const ended = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      context.traffic.destroyAll();
      await Promise.all(ended);
    },
  };
}

function proxyServer(context: GatewayContext, tunnels: TunnelServers): Server {
  const server = createServer(
    { maxHeaderSize: 256 * 1024, keepAliveTimeout: 300_000, requestTimeout: 0 },
    (request, response) => {
      const plain = absoluteForm(request.url ?? '');
      if (plain === null) return notAProxyRequest(request, response);
      forward(context, plain, request, response);
    },
  );
  server.on('connection', (socket) => context.traffic.client(socket));
  server.on('connect', (request, client, head) => {
    if (head.length > 0) client.unshift(head);
    openTunnel(context, tunnels, request, client as Socket);
  });
  // A browser tunnels its WebSockets; an upgrade in absolute form comes from something else.
  server.on('upgrade', (_request, client) => client.destroy());
  server.on('clientError', (_error, client) => client.destroy());
  return server;
}

/** `http://host[:port]/path`, the path untouched. */
function absoluteForm(url: string): PlainRequest | null {
  const parts = /^http:\/\/(?:[^/?#@]*@)?(\[[^\]]+\]|[^:/?#]+)(?::(\d{1,5}))?([/?].*)?$/i.exec(url);
  if (parts?.[1] === undefined) return null;
  const target = parts[3] ?? '/';
  return {
    scheme: 'http',
    host: parts[1].replace(/^\[|\]$/g, ''),
    port: Number(parts[2] ?? 80),
    path: target.startsWith('/') ? target : `/${target}`,
  };
}

function notAProxyRequest(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(400, { connection: 'close' }).end('ClawBench gateway: this is an HTTP forward proxy.\n');
  request.resume();
}
