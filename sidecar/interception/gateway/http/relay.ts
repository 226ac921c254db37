import type { Socket } from 'node:net';
import { respond, type GatewayStatus } from './gateway-response.ts';
import { AddressRefused } from '../socket/outbound-socket.ts';
import { reportBlocked, type GatewayContext } from '../context.ts';
import { egressRefusal, decideEgress, absoluteUrl, type Origin, type GatewayRequest } from '../policy/egress-policy.ts';
import { readBody, type RequestBodyReader } from './request-body.ts';
import { readRequestHead, type ParsedRequestHead } from './request-head.ts';
import { readTarget } from './request-target.ts';
import { connectOrigin, type OriginConnection } from './origin-connection.ts';
import { readSocket } from '../socket/read-socket.ts';

/**
 * Plain HTTP of one connection of the browser. Of a request the head is read and judged, and the frame of its body
 * followed; every byte of both goes on as it came. Of an answer only the status is looked at (answer-start.ts): the rest
 * is between the site and the browser, and no answer can make a request pass. Node's own HTTP classes cost more and
 * repair what they should refuse (docs/decisions/006).
 */
export interface Relay {
  /** The site for which TLS ended here; null where requests name theirs. */
  readonly tunnel: Origin | null;
  /** Takes a CONNECT; the client stands paused, what came behind the head is put back. */
  readonly connect: (authority: string) => void;
  /** Takes a request that asks for another protocol, in the same way. */
  readonly upgrade: (plain: GatewayRequest, head: ParsedRequestHead) => void;
}

const MAX_HEAD_BYTES = 256 * 1024;
const HEAD_TIMEOUT_MS = 60_000;
const HEAD_END = '\r\n\r\n';
const USUAL_HEAD_BYTES = 8 * 1024;
/** An unknown name or a closed port is told; a connection that broke is broken, as without a proxy. */
const UNREACHABLE = /ENOTFOUND|EAI_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/;

export function relayRequests(context: GatewayContext, client: Socket, relay: Relay): void {
  let held: Buffer | null = null;
  let headTimer: NodeJS.Timeout | undefined;
  /** Of the request that is being passed on. */
  let body: RequestBodyReader | null = null;
  /** One at a time, so that what a site closes ends this connection only, and the browser's own retry rule applies. */
  let site: OriginConnection | null = null;
  let over = false;

  const take = (chunk: Buffer): void => {
    let rest: Buffer | null = chunk;
    while (rest !== null && rest.length > 0 && !over) rest = body === null ? readHead(rest) : passBody(body, rest);
  };
  const stop = (): void => {
    over = true;
    clearTimeout(headTimer);
    stopTaking();
  };
  const refuse = (status: GatewayStatus, message: string): null => {
    stop();
    site?.leave();
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
      return refuse('431 Request Header Fields Too Large', 'the head of the request is too long');
    held = bytes;
    headTimer ??= setTimeout(cut, HEAD_TIMEOUT_MS);
    return null;
  };

  const begin = (head: ParsedRequestHead, rest: Buffer): Buffer | null => {
    // A browser waits for its answer. Behind a request that is under way a refusal of ours could not be told from it.
    if (site?.asked === true) return cut();
    if (head.method === 'CONNECT') return handOver(rest, () => relay.connect(head.target));
    const target = readTarget(head, relay.tunnel);
    if (target.kind === 'refuse') return refuse('400 Bad Request', target.why);
    if (head.upgrade !== null) return handOver(rest, () => relay.upgrade(target.plain, head));
    return send(target.plain, head, rest);
  };
  const handOver = (rest: Buffer, to: () => void): null => {
    stop();
    site?.leave();
    client.pause();
    if (rest.length > 0) client.unshift(rest);
    to();
    return null;
  };

  const send = (plain: GatewayRequest, head: ParsedRequestHead, rest: Buffer): Buffer | null => {
    const refusal = egressRefusal(context, plain);
    if (refusal !== null) return refuse('403 Forbidden', refusal);
    const to = site?.serves(plain) === true ? site : open(plain);
    if (to === null) return null;
    site = to;
    body = readBody(head.body);
    const count = body.take(rest);
    if (count === null) return cut();
    if (!to.ask(`${plain.method} ${plain.path} HTTP/1.1\r\n${head.fields}`, rest.subarray(0, count))) client.pause();
    if (body.done) body = null;
    return rest.subarray(count);
  };
  const open = (plain: GatewayRequest): OriginConnection | null => {
    site?.leave();
    const verdict = decideEgress(context, plain);
    if (verdict.kind === 'refuse') return refuse('403 Forbidden', verdict.message);
    return connectOrigin(context, client, { plain, verdict, unreachable: (error) => failed(plain, error) });
  };
  const passBody = (reader: RequestBodyReader, bytes: Buffer): Buffer | null => {
    const count = reader.take(bytes);
    if (count === null) return cut();
    if (site?.write(bytes.subarray(0, count)) === false) client.pause();
    if (reader.done) body = null;
    return bytes.subarray(count);
  };

  const failed = (plain: GatewayRequest, error: Error): void => {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof AddressRefused) {
      reportBlocked(context, 'local', { url: absoluteUrl(plain), method: plain.method });
      refuse('403 Forbidden', error.message);
    } else if (UNREACHABLE.test(code)) {
      refuse('502 Bad Gateway', `${plain.host}:${plain.port} cannot be reached (${code})`);
    } else cut();
  };

  const stopTaking = readSocket(client, take);
  client.on('drain', () => site?.resume());
  client.once('close', () => {
    stop();
    site?.leave();
  });
}

/** The bytes up to and with the first empty line, as latin1. Node searches text for less than it searches bytes. */
function headOf(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, USUAL_HEAD_BYTES);
  let at = start.indexOf(HEAD_END);
  if (at === -1 && bytes.length > start.length) at = bytes.indexOf(HEAD_END);
  if (at === -1) return null;
  const end = at + HEAD_END.length;
  // Not a slice of `start`, of which V8 would look up each character in two steps.
  return end === start.length ? start : bytes.toString('latin1', 0, end);
}
