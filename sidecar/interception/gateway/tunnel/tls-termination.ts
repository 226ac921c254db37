import type { TLSSocket } from 'node:tls';
import { openOutboundSocket } from '../socket/outbound-socket.ts';
import type { GatewayContext } from '../context.ts';
import { supportsExtendedConnect } from './extended-connect.ts';
import type { Destination } from '../policy/route.ts';

/**
 * Whether a host's TLS ends in the gateway, so that its WebSockets can be read: only for a task that a handshake could
 * match, only for hosts that its pattern can be about, and of those only the ones that take WebSockets over HTTP/2.
 * Everything else keeps its own TLS from browser to site. Asked once per host.
 */
export type TerminatesTls = (destination: Destination, allowPrivate: boolean) => Promise<boolean>;

export function createTlsTerminationRule(
  context: Pick<GatewayContext, 'webSocketRule' | 'traffic' | 'ownPorts'>,
): TerminatesTls {
  const known = new Map<string, Promise<boolean>>();
  return (destination, allowPrivate) => {
    const { host, port } = destination;
    // Port 80 is where plain WebSockets go; asking there in TLS would only cost time.
    if (port === 80 || !context.webSocketRule.refusesHost(host, port)) return Promise.resolve(false);
    const name = `${host}:${port}`;
    const ask = (): Promise<boolean> => {
      const tls = { serverName: host, verified: false, protocols: ['h2', 'http/1.1'] };
      const socket = openOutboundSocket({ ...destination, allowPrivate, ownPorts: context.ownPorts, tls });
      context.traffic.upstream(socket, host);
      return supportsExtendedConnect(socket as TLSSocket);
    };
    const answer = known.get(name) ?? ask();
    known.set(name, answer);
    return answer;
  };
}
