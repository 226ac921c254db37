import http from 'node:http';
import type { Socket } from 'node:net';
import { AddressRefused, connectTo, type ConnectOptions } from './connect.ts';
import { blocked, type GatewayContext } from './context.ts';
import { routeTo, type Destination, type Route } from './route.ts';

/**
 * Plain HTTP: absolute-form requests, and what comes out of the TLS of a mapped host. The body is passed on as bytes,
 * header names keep their case and order; only what speaks to the proxy itself (hop-by-hop) is taken off.
 */
export interface PlainRequest extends Destination {
  readonly scheme: 'http' | 'https';
  /** Request target in origin form, exactly as sent. */
  readonly path: string;
}

const MAX_HEADER_BYTES = 256 * 1024;
const HOP_BY_HOP = /^(?:proxy-connection|proxy-authorization|proxy-authenticate)$/i;

/** One agent per connection of the browser: when a site closes a kept-alive connection, only that browser connection ends, and the browser's own retry rule applies. */
const agents = new WeakMap<Socket, http.Agent>();

/** Answers `request` from where the run's rules send it. */
export function forward(
  context: GatewayContext,
  plain: PlainRequest,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const url = urlOf(plain);
  const method = request.method ?? 'GET';
  if (context.phase.current !== 'armed') {
    context.turnedAway(url);
    return refuse(response, 'the run is not armed');
  }
  // The guard fails every match that it sees. One that comes here was never paused: it does not leave, and a run in
  // which the browser has a way around the guard proves nothing.
  if (context.target.matchesHead({ url, method }) && !context.released.has({ url, method })) {
    context.emit({ type: 'escape', url });
    return refuse(response, 'the request matches the task and was not seen by the guard');
  }
  const route = routeTo(context.rules, plain, { method, path: plain.path });
  if (route.kind === 'refuse') {
    blocked(context, 'local', { url, method });
    return refuse(response, route.message);
  }
  send(context, { plain, url, route }, request, response);
}

interface Routed {
  readonly plain: PlainRequest;
  readonly url: string;
  readonly route: Exclude<Route, { kind: 'refuse' }>;
}

function send(context: GatewayContext, to: Routed, request: http.IncomingMessage, response: http.ServerResponse): void {
  const outgoing = http.request({
    agent: agentFor(request.socket, context),
    ...connectionOf(context, to),
    method: request.method ?? 'GET',
    path: to.plain.path,
    headers: framed(request),
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Sites send headers that a strict parser refuses and a browser takes; the browser is the judge.
    insecureHTTPParser: true,
  } as http.RequestOptions);
  outgoing.on('response', (incoming) => {
    response.sendDate = false;
    response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, endToEnd(incoming.rawHeaders));
    incoming.pipe(response);
    // A body that broke off must not look complete.
    incoming.on('error', () => request.socket.destroy());
    incoming.on('aborted', () => request.socket.destroy());
  });
  outgoing.on('error', (error) => failed(context, to, error, response));
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  request.pipe(outgoing);
}

function failed(context: GatewayContext, to: Routed, error: Error, response: http.ServerResponse): void {
  if (error instanceof AddressRefused) {
    blocked(context, 'local', { url: to.url, method: response.req.method ?? 'GET' });
    return refuse(response, error.message);
  }
  const code = (error as NodeJS.ErrnoException).code ?? '';
  // Before any answer: an unknown name or a closed port is told; a connection that broke is broken, as without a proxy.
  if (!response.headersSent && /ENOTFOUND|EAI_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/.test(code)) {
    return answer(response, 502, `${to.plain.host}:${to.plain.port} cannot be reached (${code})`);
  }
  response.req.socket.destroy();
}

function connectionOf(context: GatewayContext, { plain, route }: Routed): ConnectOptions & { countAs: string } {
  const { ownPorts } = context;
  const countAs = plain.host;
  if (route.kind === 'answer-page') {
    return { host: '127.0.0.1', port: route.port, allowPrivate: true, ownPorts: new Set(), countAs };
  }
  return { ...siteOf(plain, route), ownPorts, countAs };
}

/** Where a request goes, with TLS where its site has it. What is not mapped is the real site: its certificate counts. */
export function siteOf(
  plain: Omit<PlainRequest, 'path'>,
  route: Extract<Route, { kind: 'direct' | 'mapped' }>,
): Omit<ConnectOptions, 'ownPorts'> {
  const tls = (verified: boolean): Pick<ConnectOptions, 'tls'> => ({ tls: { serverName: plain.host, verified } });
  if (route.kind === 'mapped')
    return { host: route.host, port: route.port, allowPrivate: true, ...(route.tls ? tls(false) : {}) };
  const secure = plain.scheme === 'https' ? tls(true) : {};
  return { host: plain.host, port: plain.port, allowPrivate: route.allowPrivate, ...secure };
}

function agentFor(socket: Socket, context: GatewayContext): http.Agent {
  const known = agents.get(socket);
  if (known !== undefined) return known;
  const agent = new http.Agent({ keepAlive: true });
  agent.createConnection = (options) => {
    const own = options as unknown as ConnectOptions & { countAs: string };
    const upstream = connectTo(own);
    context.traffic.upstream(upstream, own.countAs);
    return upstream;
  };
  agents.set(socket, agent);
  socket.once('close', () => agent.destroy());
  return agent;
}

/** Node would announce a chunked body for a PATCH that has none. */
function framed(request: http.IncomingMessage): string[] {
  const headers = endToEnd(request.rawHeaders);
  const framing = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  const bodiless = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(request.method ?? 'GET');
  return framing || bodiless ? headers : [...headers, 'Content-Length', '0'];
}

function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!HOP_BY_HOP.test(name)) kept.push(name, rawHeaders[at + 1] as string);
  }
  return kept;
}

function urlOf({ scheme, host, port, path }: PlainRequest): string {
  const standard = port === (scheme === 'http' ? 80 : 443);
  const name = host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}${standard ? '' : `:${port}`}${path}`;
}

function refuse(response: http.ServerResponse, message: string): void {
  answer(response, 403, message);
}

/** In the words of this product, so that a person who sees it in the recording knows whose it is. */
function answer(response: http.ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.req.socket.destroy();
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-clawbench-gateway': 'refused',
    connection: 'close',
  });
  response.end(`ClawBench gateway: ${message}.\n`);
}
