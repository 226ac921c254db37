import type { Socket } from 'node:net';
import { openOutboundSocket } from '../socket/outbound-socket.ts';
import { reportBlocked, type GatewayContext } from '../context.ts';
import { connectOptionsFor, absoluteUrl, type GatewayRequest } from '../policy/egress-policy.ts';
import type { ParsedRequestHead } from '../http/request-head.ts';
import { routeTo } from '../policy/route.ts';
import { spliceWebSocket } from '../socket/splice.ts';

/**
 * Forwards a WebSocket handshake that the gateway can read, from a tunnel that it terminates. Closes the client when the
 * handshake is refused: the task could match it, the route does not allow it, or it is malformed.
 * @param client paused after the header section.
 */
export function forwardWebSocketHandshake(
  context: GatewayContext,
  request: GatewayRequest,
  head: ParsedRequestHead,
  client: Socket,
): void {
  // The URL has the scheme http(s); a handshake's is ws(s).
  const url = absoluteUrl(request).replace(/^http/, 'ws');
  const route = routeTo(context.routes, request);
  const refused = context.webSocketRule.refusesUrl(url);
  if (refused && context.phase.current === 'armed') reportBlocked(context, 'socket', { url, method: 'GET' });
  const handshake = request.method === 'GET' && /^websocket$/i.test(head.upgrade ?? '');
  const unroutable = route.kind !== 'mapped' && route.kind !== 'direct';
  if (context.phase.current !== 'armed' || refused || unroutable || !handshake) return void client.destroy();
  const origin = openOutboundSocket({ ...connectOptionsFor(request, route), ownPorts: context.ownPorts });
  context.traffic.outbound(origin, request.host);
  origin.write(`GET ${request.path} HTTP/1.1\r\n${head.fields}`, 'latin1');
  spliceWebSocket(client, origin);
}
