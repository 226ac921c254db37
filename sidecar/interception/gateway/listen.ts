import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { borrowListener, type BorrowOptions } from './socket/borrowed-listener.ts';
import type { GatewayContext } from './context.ts';
import { relayRequests } from './http/relay.ts';
import { createTlsTerminationRule, type TerminatesTls } from './tunnel/tls-termination.ts';
import { openTunnel } from './tunnel/tunnel.ts';

/**
 * The browser's only egress: an HTTP forward proxy in the guard's own process, so that what kills the guard also closes
 * the egress. Unless interception is armed, every request is refused.
 */
export interface Gateway {
  readonly proxyPort: number | null;
  close(): Promise<void>;
}

export interface GatewayListeners {
  /** The browser's side lends a listener of its own network namespace; undefined: none is borrowed. */
  readonly lender?: Omit<BorrowOptions, 'serve'>;
  /** A loopback port in this namespace (0: any free port); undefined: none. */
  readonly proxyPort?: number;
}

/** @throws when it cannot listen. */
export async function listenGateway(context: GatewayContext, listeners: GatewayListeners): Promise<Gateway> {
  const terminatesTls = createTlsTerminationRule(context);
  const serve = (client: Socket): void => serveClient(context, terminatesTls, client);
  const borrowed = listeners.lender === undefined ? null : await borrowListener({ ...listeners.lender, serve });
  let own: Server | null = null;
  let port: number | null = null;
  if (listeners.proxyPort !== undefined) {
    own = createServer(serve).listen(listeners.proxyPort, '127.0.0.1');
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
      const borrowedClosed = borrowed?.close();
      context.traffic.destroyAll();
      await Promise.all([ended, borrowedClosed]);
    },
  };
}

function serveClient(context: GatewayContext, terminatesTls: TerminatesTls, client: Socket): void {
  client.setNoDelay(true);
  context.traffic.inbound(client);
  relayRequests(context, client, {
    tunnel: null,
    connect: (authority) => openTunnel(context, terminatesTls, authority, client),
    // A browser tunnels its WebSockets; an upgrade in absolute form comes from another client.
    upgrade: () => client.destroy(),
  });
}
