import type { Socket } from 'node:net';
import { createChallengeDetector } from './proxy-auth-challenge.ts';
import { resetConnection } from '../socket/reset-connection.ts';
import { openOutboundSocket } from '../socket/outbound-socket.ts';
import type { GatewayContext } from '../context.ts';
import type { GatewayRequest, EgressDecision } from '../policy/egress-policy.ts';
import { readSocket } from '../socket/read-socket.ts';

/** The connection to a site over which a connection of the browser is relayed. What it answers goes to the client as it comes. */
export interface OriginConnection {
  /** Whether this request goes over the same connection. */
  serves(plain: GatewayRequest): boolean;
  /** Passes a head on, and as much of its body as is there. False: wait until the client is resumed. */
  ask(head: string, body: Buffer): boolean;
  /** Passes on more of the body. False as above. */
  write(body: Buffer): boolean;
  /** Something was asked and nothing of the answer has come. */
  readonly asked: boolean;
  /** The client can take more. */
  resume(): void;
  /** Ends it without a word to the client. */
  leave(): void;
}

export interface OriginConnectionOptions {
  /** The request that it is opened for. */
  readonly plain: GatewayRequest;
  readonly verdict: Extract<EgressDecision, { kind: 'send' }>;
  /** No connection came about. */
  readonly unreachable: (error: Error) => void;
}

/** A small body goes out in one write with its head. */
const MAX_JOINED_BYTES = 16 * 1024;

export function connectOrigin(
  context: GatewayContext,
  client: Socket,
  options: OriginConnectionOptions,
): OriginConnection {
  const { plain, verdict } = options;
  const socket = openOutboundSocket(verdict.to);
  context.traffic.upstream(socket, plain.host);
  let asked = true;
  /** Null once the answer's status is known. */
  let start: ReturnType<typeof createChallengeDetector> | null = createChallengeDetector();
  let left = false;
  let connected = false;

  const leave = (): void => {
    left = true;
    socket.destroy();
  };
  socket.once('connect', () => {
    connected = true;
  });
  socket.once('error', (error) => {
    if (!left && !connected) options.unreachable(error);
  });
  const pass = (chunk: Buffer): void => {
    if (left) return;
    asked = false;
    if (start !== null) {
      const reading = start(chunk);
      if (reading === 'proxy') return void client.destroy();
      if (reading === 'passes') start = null;
    }
    if (!client.write(chunk)) socket.pause();
  };
  readSocket(socket, pass, client);
  socket.on('drain', () => client.resume());
  socket.once('close', (broken) => {
    if (left) return;
    // A body that broke off must not look complete; what the browser has not got by then is lost, as without us.
    if (broken) resetConnection(client);
    else client.destroySoon();
  });

  return {
    serves: ({ scheme, host, port }) =>
      verdict.everyRequest && host === plain.host && port === plain.port && scheme === plain.scheme,
    ask: (head, body) => {
      asked = true;
      start ??= createChallengeDetector();
      if (body.length === 0) return socket.write(head, 'latin1');
      if (body.length <= MAX_JOINED_BYTES) return socket.write(head + body.toString('latin1'), 'latin1');
      socket.write(head, 'latin1');
      return socket.write(body);
    },
    write: (body) => socket.write(body),
    get asked() {
      return asked;
    },
    resume: () => socket.resume(),
    leave,
  };
}
