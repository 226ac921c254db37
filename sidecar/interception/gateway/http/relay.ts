import type { Socket } from 'node:net';
import { respond, type GatewayStatus } from './gateway-response.ts';
import { AddressRefused } from '../socket/outbound-socket.ts';
import { reportBlocked, type GatewayContext } from '../context.ts';
import { egressRefusal, decideEgress, absoluteUrl, type Origin, type GatewayRequest } from '../policy/egress-policy.ts';
import { createBodyFraming, type BodyFraming } from './request-body.ts';
import { readRequestHead, type ParsedRequestHead } from './request-head.ts';
import { readRequestTarget } from './request-target.ts';
import { connectOrigin, type OriginConnection } from './origin-connection.ts';
import { readSocket } from '../socket/read-socket.ts';

/**
 * Forwards the request HTTP requests of one browser connection. Of a request, the header section is parsed and decided about,
 * and the framing of its body is followed; every byte of both is forwarded as it came. Of a response, only the status is
 * read (`proxy-auth-challenge.ts`): no response can make a request pass. Node's own HTTP classes cost more and repair what
 * they should refuse (docs/decisions/006).
 */
export interface Relay {
  /** The origin whose TLS is terminated here; null when each request names its origin. */
  readonly tunnel: Origin | null;
  /** Takes over after a CONNECT: the client is paused, and the bytes after the header section are put back. */
  readonly connect: (authority: string) => void;
  /** Takes over after a request with `Upgrade`, in the same way. */
  readonly upgrade: (request: GatewayRequest, head: ParsedRequestHead) => void;
}

const MAX_HEAD_BYTES = 256 * 1024;
const HEAD_TIMEOUT_MS = 60_000;
const HEAD_END = '\r\n\r\n';
const USUAL_HEAD_BYTES = 8 * 1024;
/** Errors that get a 502. After any other, the connection is closed, as without a proxy. */
const UNREACHABLE = /ENOTFOUND|EAI_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/;

export function relayRequests(context: GatewayContext, client: Socket, relay: Relay): void {
  let held: Buffer | null = null;
  let headTimer: NodeJS.Timeout | undefined;
  /** The body of the request that is being forwarded. */
  let body: BodyFraming | null = null;
  /** One at a time, so that an origin server's close ends only this connection, and the browser's own retry rule applies. */
  let origin: OriginConnection | null = null;
  let over = false;

  const consume = (chunk: Buffer): void => {
    let rest: Buffer | null = chunk;
    while (rest !== null && rest.length > 0 && !over) rest = body === null ? readHead(rest) : passBody(body, rest);
  };
  const stop = (): void => {
    over = true;
    clearTimeout(headTimer);
    stopReading();
  };
  const refuse = (status: GatewayStatus, message: string): null => {
    stop();
    origin?.discard();
    respond(client, status, message);
    return null;
  };
  const cut = (): null => {
    stop();
    client.destroy();
    return null;
  };

  const readHead = (bytes: Buffer): Buffer | null => {
    const all = held === null ? bytes : Buffer.concat([held, bytes]);
    const text = headOf(all);
    if (text === null) return hold(all);
    held = null;
    clearTimeout(headTimer);
    headTimer = undefined;
    const reading = readRequestHead(text);
    if (reading.kind === 'refuse') return refuse('400 Bad Request', reading.why);
    return begin(reading.head, all.subarray(text.length));
  };
  const hold = (bytes: Buffer): null => {
    if (bytes.length > MAX_HEAD_BYTES)
      return refuse('431 Request Header Fields Too Large', 'the header section of the request is too long');
    held = bytes;
    headTimer ??= setTimeout(cut, HEAD_TIMEOUT_MS);
    return null;
  };

  const begin = (head: ParsedRequestHead, rest: Buffer): Buffer | null => {
    // A browser waits for the response. A refusal sent now would be read as the response to the earlier request.
    if (origin?.awaitsResponse === true) return cut();
    if (head.method === 'CONNECT') return handOver(rest, () => relay.connect(head.target));
    const target = readRequestTarget(head, relay.tunnel);
    if (target.kind === 'refuse') return refuse('400 Bad Request', target.why);
    if (head.upgrade !== null) return handOver(rest, () => relay.upgrade(target.request, head));
    return send(target.request, head, rest);
  };
  const handOver = (rest: Buffer, takeOver: () => void): null => {
    stop();
    origin?.discard();
    client.pause();
    if (rest.length > 0) client.unshift(rest);
    takeOver();
    return null;
  };

  const send = (request: GatewayRequest, head: ParsedRequestHead, rest: Buffer): Buffer | null => {
    const refusal = egressRefusal(context, request);
    if (refusal !== null) return refuse('403 Forbidden', refusal);
    const to = origin?.serves(request) === true ? origin : open(request);
    if (to === null) return null;
    origin = to;
    body = createBodyFraming(head.body);
    const count = body.take(rest);
    if (count === null) return cut();
    if (!to.sendHead(`${request.method} ${request.path} HTTP/1.1\r\n${head.fields}`, rest.subarray(0, count)))
      client.pause();
    if (body.done) body = null;
    return rest.subarray(count);
  };
  const open = (request: GatewayRequest): OriginConnection | null => {
    origin?.discard();
    const decision = decideEgress(context, request);
    if (decision.kind === 'refuse') return refuse('403 Forbidden', decision.message);
    return connectOrigin(context, client, { request, decision, unreachable: (error) => failed(request, error) });
  };
  const passBody = (reader: BodyFraming, bytes: Buffer): Buffer | null => {
    const count = reader.take(bytes);
    if (count === null) return cut();
    if (origin?.sendBody(bytes.subarray(0, count)) === false) client.pause();
    if (reader.done) body = null;
    return bytes.subarray(count);
  };

  const failed = (request: GatewayRequest, error: Error): void => {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof AddressRefused) {
      reportBlocked(context, 'local', { url: absoluteUrl(request), method: request.method });
      refuse('403 Forbidden', error.message);
    } else if (UNREACHABLE.test(code)) {
      refuse('502 Bad Gateway', `${request.host}:${request.port} cannot be reached (${code})`);
    } else cut();
  };

  const stopReading = readSocket(client, consume);
  client.on('drain', () => origin?.resume());
  client.once('close', () => {
    stop();
    origin?.discard();
  });
}

/** The bytes up to and including the first empty line, as latin1. Node searches text faster than bytes. */
function headOf(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, USUAL_HEAD_BYTES);
  let at = start.indexOf(HEAD_END);
  if (at === -1 && bytes.length > start.length) at = bytes.indexOf(HEAD_END);
  if (at === -1) return null;
  const end = at + HEAD_END.length;
  // Not a slice of `start`: V8 would look up each of its characters in two steps.
  return end === start.length ? start : bytes.toString('latin1', 0, end);
}
