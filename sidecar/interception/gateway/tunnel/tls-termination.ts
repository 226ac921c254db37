import type { TLSSocket } from 'node:tls';
import { openOutboundSocket } from '../socket/outbound-socket.ts';
import type { GatewayContext } from '../context.ts';
import { supportsExtendedConnect } from './extended-connect.ts';
import type { Destination } from '../policy/route.ts';

/**
 * Decides whether a host's TLS is terminated in the gateway, so that its WebSocket handshakes can be read: only for a task
 * that a handshake could match, only for hosts that its pattern can match, and of those only the ones that take WebSockets
 * over HTTP/2. All other TLS is end-to-end between browser and origin server. Decided once per host. (Mapped hosts are
 * always terminated: `tunnel.ts`.)
 */
export type TerminatesTls = (destination: Destination, allowPrivate: boolean) => Promise<boolean>;

export function createTlsTerminationRule(
  context: Pick<GatewayContext, 'webSocketRule' | 'traffic' | 'ownPorts'>,
): TerminatesTls {
  const known = new Map<string, Promise<boolean>>();
  return (destination, allowPrivate) => {
    const { host, port } = destination;
    // Plain WebSockets use port 80; trying TLS there would only cost time.
    if (port === 80 || !context.webSocketRule.refusesHost(host, port)) return Promise.resolve(false);
    const name = `${host}:${port}`;
    const probe = (): Promise<boolean> => {
      const tls = { serverName: host, verified: false, protocols: ['h2', 'http/1.1'] };
      const socket = openOutboundSocket({ ...destination, allowPrivate, ownPorts: context.ownPorts, tls });
      context.traffic.outbound(socket, host);
      return supportsExtendedConnect(socket as TLSSocket);
    };
    const terminated = known.get(name) ?? probe();
    known.set(name, terminated);
    return terminated;
  };
}
