import type { Socket } from 'node:net';
import type { GatewayContext } from '../context.ts';
import type { EgressDecision, GatewayRequest } from '../policy/egress-policy.ts';
import { openOutboundSocket } from '../socket/outbound-socket.ts';
import { readSocket } from '../socket/read-socket.ts';
import { resetConnection } from '../socket/reset-connection.ts';
import { createChallengeDetector } from './proxy-auth-challenge.ts';

/**
 * The connection to an origin server over which requests of one browser connection are forwarded. Its responses go to
 * the client as they come.
 */
export interface OriginConnection {
  /** Whether this request goes over the same connection. */
  serves(request: GatewayRequest): boolean;
  /** Sends a header section and the part of the body that has arrived. @returns false: wait until the client is resumed. */
  sendHead(head: string, body: Buffer): boolean;
  /** Sends more of the body. @returns as `sendHead`. */
  sendBody(body: Buffer): boolean;
  /** A request was sent and no byte of its response has come. */
  readonly awaitsResponse: boolean;
  /** The client can take more. */
  resume(): void;
  /** Closes it without closing the client. */
  discard(): void;
}

export interface OriginConnectionOptions {
  /** The request that it is opened for. */
  readonly request: GatewayRequest;
  readonly decision: Extract<EgressDecision, { kind: 'forward' }>;
  /** Called when the connection could not be established. */
  readonly unreachable: (error: Error) => void;
}

/** A body up to this size is sent in one write with its header section. */
const MAX_JOINED_BYTES = 16 * 1024;

export function connectOrigin(
  context: GatewayContext,
  client: Socket,
  options: OriginConnectionOptions,
): OriginConnection {
  const { request, decision } = options;
  const socket = openOutboundSocket(decision.to);
  context.traffic.outbound(socket, request.host);
  let awaitsResponse = true;
  /** Null once the response's status is known. */
  let detector: ReturnType<typeof createChallengeDetector> | null = createChallengeDetector();
  let discarded = false;
  let connected = false;

  const discard = (): void => {
    discarded = true;
    socket.destroy();
  };
  socket.once('connect', () => {
    connected = true;
  });
  socket.once('error', (error) => {
    if (!discarded && !connected) options.unreachable(error);
  });
  const forward = (chunk: Buffer): void => {
    if (discarded) return;
    awaitsResponse = false;
    if (detector !== null) {
      const reading = detector(chunk);
      if (reading === 'challenge') return void client.destroy();
      if (reading === 'not-challenge') detector = null;
    }
    if (!client.write(chunk)) socket.pause();
  };
  readSocket(socket, forward, client);
  socket.on('drain', () => client.resume());
  socket.once('close', (broken) => {
    if (discarded) return;
    // A response that broke off must not look complete; what the browser has not received by then is lost, as without a proxy.
    if (broken) resetConnection(client);
    else client.destroySoon();
  });

  return {
    serves: ({ scheme, host, port }) =>
      decision.reusable && host === request.host && port === request.port && scheme === request.scheme,
    sendHead: (head, body) => {
      awaitsResponse = true;
      detector ??= createChallengeDetector();
      if (body.length === 0) return socket.write(head, 'latin1');
      if (body.length <= MAX_JOINED_BYTES) return socket.write(head + body.toString('latin1'), 'latin1');
      socket.write(head, 'latin1');
      return socket.write(body);
    },
    sendBody: (body) => socket.write(body),
    get awaitsResponse() {
      return awaitsResponse;
    },
    resume: () => socket.resume(),
    discard,
  };
}
