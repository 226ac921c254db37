import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Faults of a network and a busy store: the connection is reset before the store receives the request, the response is
 * lost, half of the body arrives, the store is busy, or there is no response.
 */
export type S3Fault = 'reset' | 'lose-answer' | 'cut-body' | 'busy' | 'stall';

export interface SeenCall {
  readonly method: string;
  /** Including the query; `?partNumber=…` identifies a part. */
  readonly path: string;
}

/** A proxy in front of a real S3 server. Tests only. */
export interface FaultyS3 {
  readonly endpoint: string;
  readonly calls: readonly SeenCall[];
  /** Decides about each further call; null forwards it unchanged. */
  inject(decide: (call: SeenCall) => S3Fault | null): void;
  close(): Promise<void>;
}

export async function startFaultyS3(target: string): Promise<FaultyS3> {
  let decide: (call: SeenCall) => S3Fault | null = () => null;
  const calls: SeenCall[] = [];
  const server = createServer((incoming, outgoing) => {
    const call = { method: incoming.method ?? '', path: incoming.url ?? '' };
    calls.push(call);
    const fault = decide(call);
    if (fault === 'stall') incoming.resume();
    else if (fault === 'reset') incoming.socket.destroy();
    else if (fault === 'busy') refuse(incoming, outgoing);
    else forward(target, incoming, outgoing, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    calls,
    inject: (next) => void (decide = next),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  const error = '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>';
  outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(error);
}

/** Headers are forwarded unchanged, since the signature covers `host`. */
function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: 'lose-answer' | 'cut-body' | null,
): void {
  const url = new URL(incoming.url ?? '/', target);
  const options = { method: incoming.method, headers: incoming.headers };
  const onward = request(url, options, (answer) => {
    if (fault === 'lose-answer') {
      answer.resume().once('end', () => incoming.socket.destroy());
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => incoming.socket.destroy());
  if (fault === 'cut-body') incoming.once('data', () => void (onward.destroy(), incoming.socket.destroy()));
  incoming.pipe(onward);
}
