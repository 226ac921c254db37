import type { Socket } from 'node:net';
import { openOutboundSocket } from '../socket/outbound-socket.ts';
import { reportBlocked, type GatewayContext } from '../context.ts';
import { connectOptionsFor, absoluteUrl, type GatewayRequest } from '../policy/egress-policy.ts';
import type { ParsedRequestHead } from '../http/request-head.ts';
import { routeTo } from '../policy/route.ts';
import { spliceWebSocket } from '../socket/splice.ts';

/**
 * A WebSocket out of a tunnel that ends here: its path can be read. Ends the client when it may not pass.
 * @param client paused behind the head.
 */
export function forwardWebSocketHandshake(
  context: GatewayContext,
  plain: GatewayRequest,
  head: ParsedRequestHead,
  client: Socket,
): void {
  // The fetch scheme of the same site, spelled as the handshake's own.
  const url = absoluteUrl(plain).replace(/^http/, 'ws');
  const route = routeTo(context.routes, plain);
  const refused = context.webSocketRule.refusesUrl(url);
  if (refused && context.phase.current === 'armed') reportBlocked(context, 'socket', { url, method: 'GET' });
  const handshake = plain.method === 'GET' && /^websocket$/i.test(head.upgrade ?? '');
  const elsewhere = route.kind !== 'mapped' && route.kind !== 'direct';
  if (context.phase.current !== 'armed' || refused || elsewhere || !handshake) return void client.destroy();
  const upstream = openOutboundSocket({ ...connectOptionsFor(plain, route), ownPorts: context.ownPorts });
  context.traffic.upstream(upstream, plain.host);
  upstream.write(`GET ${plain.path} HTTP/1.1\r\n${head.fields}`, 'latin1');
  spliceWebSocket(client, upstream);
}
