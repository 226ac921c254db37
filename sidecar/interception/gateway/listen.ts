import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { borrowListener, type BorrowOptions } from './socket/borrowed-listener.ts';
import type { GatewayContext } from './context.ts';
import { relayRequests } from './http/relay.ts';
import { createTlsTerminationRule, type TerminatesTls } from './tunnel/tls-termination.ts';
import { openTunnel } from './tunnel/tunnel.ts';

/**
 * The browser's only way out: an HTTP forward proxy in the guard's own process, so that what kills the guard takes the
 * way out with it. Whatever is not armed is turned away.
 */
export interface Gateway {
  readonly proxyPort: number | null;
  close(): Promise<void>;
}

export interface GatewayListeners {
  /** The browser's side lends a listener of its own namespace; undefined: no browser comes this way. */
  readonly lender?: Omit<BorrowOptions, 'serve'>;
  /** A loopback port here (0: any); undefined: none. */
  readonly proxyPort?: number;
}

/** @throws when it cannot listen. */
export async function listenGateway(context: GatewayContext, places: GatewayListeners): Promise<Gateway> {
  const endsTls = createTlsTerminationRule(context);
  const serve = (client: Socket): void => serveClient(context, endsTls, client);
  const borrowed = places.lender === undefined ? null : await borrowListener({ ...places.lender, serve });
  let own: Server | null = null;
  let port: number | null = null;
  if (places.proxyPort !== undefined) {
    own = createServer(serve).listen(places.proxyPort, '127.0.0.1');
    await once(own, 'listening').catch(async (error: unknown) => {
      await borrowed?.close();
      throw error;
    });
    port = (own.address() as AddressInfo).port;
    context.ownPorts.add(port);
  }
  return {
    proxyPort: port,
    close: async () => {
      const ended = new Promise((resolve) => (own === null ? resolve(null) : own.close(resolve)));
      const returned = borrowed?.close();
      context.traffic.destroyAll();
      await Promise.all([ended, returned]);
    },
  };
}

function serveClient(context: GatewayContext, endsTls: TerminatesTls, client: Socket): void {
  client.setNoDelay(true);
  context.traffic.client(client);
  relayRequests(context, client, {
    tunnel: null,
    connect: (authority) => openTunnel(context, endsTls, authority, client),
    // A browser tunnels its WebSockets; an upgrade in absolute form comes from something else.
    upgrade: () => client.destroy(),
  });
}
