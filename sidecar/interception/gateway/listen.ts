import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { GatewayContext } from './context.ts';
import { relayRequests } from './relay.ts';
import { createTlsEnding, type TlsEnding } from './tls-ending.ts';
import { openTunnel } from './tunnel.ts';

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
  const endsTls = createTlsEnding(context);
  const servers: Server[] = [];
  const open = (): Server => {
    const server = proxyServer(context, endsTls);
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

function proxyServer(context: GatewayContext, endsTls: TlsEnding): Server {
  return createServer({ noDelay: true }, (client) => {
    context.traffic.client(client);
    relayRequests(context, client, {
      tunnel: null,
      connect: (authority) => openTunnel(context, endsTls, authority, client),
      // A browser tunnels its WebSockets; an upgrade in absolute form comes from something else.
      upgrade: () => client.destroy(),
    });
  });
}
