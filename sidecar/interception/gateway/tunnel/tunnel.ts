import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { respondWithoutBody } from '../http/gateway-response.ts';
import { setTlsCarrier } from '../socket/reset-connection.ts';
import { AddressRefused, openOutboundSocket } from '../socket/outbound-socket.ts';
import { reportBlocked, type GatewayContext } from '../context.ts';
import { detectTunnelProtocol, type TunnelProtocol } from './tunnel-protocol.ts';
import type { Origin } from '../policy/egress-policy.ts';
import { relayRequests } from '../http/relay.ts';
import { canonicalHost, routeTo, splitHostPort, type Destination } from '../policy/route.ts';
import { forwardWebSocketHandshake } from './websocket-handshake.ts';
import { splice } from '../socket/splice.ts';
import type { TerminatesTls } from './tls-termination.ts';

/**
 * Serves `CONNECT`: end-to-end TLS and plain WebSockets. Nothing is forwarded before the first bytes show which of the two
 * it is. TLS of a mapped host, and of a few others (`tls-termination.ts`), is terminated here instead and continues as
 * readable requests.
 */

/** A browser that opened a tunnel sends at once, or keeps it as a spare for some seconds (preconnect). */
const FIRST_BYTES_TIMEOUT_MS = 60_000;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** @param client paused after the header section. */
export function openTunnel(
  context: GatewayContext,
  terminatesTls: TerminatesTls,
  authority: string,
  client: Socket,
): void {
  const destination = splitHostPort(authority);
  const url = `https://${authority}/`;
  if (destination === null) return respondWithoutBody(client, '400 Bad Request');
  if (context.phase.current !== 'armed') {
    context.refusedUnarmed(url);
    return respondWithoutBody(client, '403 Forbidden');
  }
  const route = routeTo(context.routes, destination);
  if (route.kind === 'mapped') return terminateTls(context, destination, client);
  if (route.kind !== 'direct') {
    reportBlocked(context, 'local', { url, method: 'CONNECT' });
    return respondWithoutBody(client, '403 Forbidden');
  }
  void terminatesTls(destination, route.allowPrivate).then((terminate) => {
    // It may have been cut or closed in the meantime.
    if (client.destroyed || context.phase.current !== 'armed') return void client.destroy();
    if (terminate) terminateTls(context, destination, client);
    else tunnelToOrigin(context, { ...destination, allowPrivate: route.allowPrivate }, url, client);
  });
}

/** Forwards end-to-end TLS, of which only the first bytes are read. A plain WebSocket is read like any other request. */
function tunnelToOrigin(
  context: GatewayContext,
  destination: Destination & { readonly allowPrivate: boolean },
  url: string,
  client: Socket,
): void {
  const origin = openOutboundSocket({ ...destination, ownPorts: context.ownPorts });
  context.traffic.outbound(origin, destination.host);
  const unreachable = (error: Error): void => {
    if (error instanceof AddressRefused) reportBlocked(context, 'local', { url, method: 'CONNECT' });
    respondWithoutBody(client, error instanceof AddressRefused ? '403 Forbidden' : '502 Bad Gateway');
  };
  origin.once('error', unreachable);
  client.once('close', () => origin.destroy());
  origin.once('connect', () => {
    // From here on the tunnel belongs to its two ends: a response of ours would be read as the origin's.
    origin.removeListener('error', unreachable);
    const lost = (): void => void client.destroy();
    origin.once('close', lost);
    establish(client, (first, bytes) => {
      origin.removeListener('close', lost);
      if (first.kind === 'websocket') {
        origin.destroy();
        return serveWebSocket(context, destination, client, bytes);
      }
      if (!permitted(context, destination, first)) return void client.destroy();
      origin.write(bytes);
      splice(client, origin);
    });
  });
}

/** Whether the first bytes may be forwarded to the origin server. */
function permitted(context: GatewayContext, destination: Destination, first: TunnelProtocol): boolean {
  if (first.kind !== 'tls') return false;
  const socketOnly = first.alpn.length === 1 && first.alpn[0] === 'http/1.1';
  if (!socketOnly || !context.webSocketRule.refusesHost(destination.host, destination.port)) return true;
  reportBlocked(context, 'socket', {
    url: `wss://${destination.host}${destination.port === 443 ? '' : `:${destination.port}`}/`,
    method: 'GET',
  });
  return false;
}

function terminateTls(context: GatewayContext, destination: Destination, client: Socket): void {
  establish(client, (first, bytes) => {
    if (first.kind === 'other' || first.kind === 'more') return void client.destroy();
    if (first.kind === 'websocket') return serveWebSocket(context, destination, client, bytes);
    client.unshift(bytes);
    const host = canonicalHost(destination.host);
    context.authority.contextFor(host).then(
      (secureContext) => {
        if (client.destroyed) return;
        const tls = new TLSSocket(client, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] });
        setTlsCarrier(tls, client);
        tls.on('error', () => client.destroy());
        tls.once('close', () => client.destroy());
        serve(context, tls, { scheme: 'https', ...destination });
      },
      (error: unknown) => {
        context.log.error({ err: error, host }, 'could not issue a certificate for a terminated host');
        client.destroy();
      },
    );
  });
}

/** @param bytes the bytes so far: the handshake and whatever follows. */
function serveWebSocket(context: GatewayContext, { host, port }: Destination, client: Socket, bytes: Buffer): void {
  client.unshift(bytes);
  serve(context, client, { scheme: 'http', host, port });
}

/** Serves the requests of a terminated tunnel, where even a WebSocket's path can be read. */
function serve(context: GatewayContext, client: Socket, tunnel: Origin): void {
  relayRequests(context, client, {
    tunnel,
    connect: () => client.destroy(),
    upgrade: (request, head) => forwardWebSocketHandshake(context, request, head, client),
  });
  client.resume();
}

/** Responds with 200 and calls `detected` once the first bytes show the protocol; the client is paused then. */
function establish(client: Socket, detected: (first: TunnelProtocol, bytes: Buffer) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => client.destroy(), FIRST_BYTES_TIMEOUT_MS);
  client.once('close', () => clearTimeout(timer));
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const first = detectTunnelProtocol(bytes);
    if (first.kind === 'more') return;
    clearTimeout(timer);
    client.pause();
    client.removeListener('data', take);
    detected(first, bytes);
  };
  client.write(ESTABLISHED);
  client.on('data', take).resume();
}
