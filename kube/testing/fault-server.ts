import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { createClient, type KubeClientOptions, type KubeClient } from '../client.ts';
import type { KubeObject } from '../object.ts';
import { createObjectApi, failure, type LoggedEvent, type ObjectApi, type ApiReply } from './object-api.ts';

/** A fault of a request or (`watch…`) of a watch after its response head. `none` lets one request pass. */
export type ApiFault =
  | { readonly kind: 'status'; readonly code: number; readonly reason?: string; readonly retryAfter?: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'reset' | 'silence' | 'loris' | 'html' }
  | { readonly kind: 'watchReset' | 'watchSilence' | 'watchGarbage' | 'watchHalfLine' | 'watchEnd' | 'watchLoris' }
  | { readonly kind: 'watchError'; readonly code: number };

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'replace' | 'patch' | 'delete';
export interface RecordedRequest {
  readonly verb: Verb;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FaultServer {
  readonly url: string;
  readonly api: ObjectApi;
  readonly seen: RecordedRequest[];
  /** Number of connections accepted so far. */
  readonly connections: number;
  /** Injects these faults into the next requests of the verb, in order. */
  fail(verb: Verb, ...faults: ApiFault[]): void;
  /** Number of faults of the verb that have not occurred yet. */
  pending(verb: Verb): number;
  /** Silences every open watch; the sockets stay open. */
  mute(): void;
  client(options?: KubeClientOptions): KubeClient;
  close(): Promise<void>;
}

interface OpenWatch {
  readonly collection: string;
  readonly response: ServerResponse;
  muted: boolean;
}

/** An API server on loopback with injected faults. */
export async function startFaultServer(): Promise<FaultServer> {
  const api = createObjectApi();
  const faults = new Map<Verb, ApiFault[]>();
  const seen: RecordedRequest[] = [];
  const watches = new Set<OpenWatch>();
  const sockets = new Set<Socket>();
  const clients: KubeClient[] = [];
  let connections = 0;

  api.onEvent = (event) => {
    for (const watch of watches) if (!watch.muted && watch.collection === event.collection) say(watch, event);
  };

  const openWatch = (
    collection: string,
    request: RecordedRequest,
    response: ServerResponse,
    fault?: Exclude<ApiFault, { kind: 'none' }>,
  ): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (fault !== undefined) return spoil(response, fault);
    const watch: OpenWatch = { collection, response, muted: false };
    const backlog = api.eventsAfter(collection, Number(request.query.get('resourceVersion')));
    if (backlog === null) {
      return void response.end(`${JSON.stringify({ type: 'ERROR', object: failure(410, 'Expired').body })}\n`);
    }
    for (const event of backlog) say(watch, event);
    watches.add(watch);
    response.on('close', () => watches.delete(watch));
    const end = setTimeout(() => response.end(), Number(request.query.get('timeoutSeconds')) * 1000);
    response.on('close', () => clearTimeout(end));
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { request, collection, name } = await read(incoming);
    seen.push(request);
    const next = faults.get(request.verb)?.shift();
    const fault = next?.kind === 'none' ? undefined : next;
    if (fault !== undefined && !fault.kind.startsWith('watch')) return spoil(response, fault);
    if (request.verb === 'watch') return openWatch(collection, request, response, fault);
    answer(response, execute(api, request, collection, name));
  };

  const server = createServer((incoming, response) => void handle(incoming, response));
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    api,
    seen,
    get connections() {
      return connections;
    },
    fail: (verb, ...list) => void faults.set(verb, [...(faults.get(verb) ?? []), ...list]),
    pending: (verb) => faults.get(verb)?.length ?? 0,
    mute: () => {
      for (const watch of watches) watch.muted = true;
    },
    client: (options) => {
      const client = createClient({ kubeConfig: () => plainConfig(url), ...options });
      clients.push(client);
      return client;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** KubeConfig refuses plain HTTP unless TLS verification is off. */
export function plainConfig(server: string, user: { token?: string } = {}): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: 'fake', server, skipTLSVerify: true }, { name: 'me', ...user });
  return kubeConfig;
}

function say(watch: OpenWatch, event: LoggedEvent): void {
  watch.response.write(`${JSON.stringify({ type: event.type, object: event.object })}\n`);
}

function spoil(response: ServerResponse, fault: Exclude<ApiFault, { kind: 'none' }>): void {
  if (fault.kind === 'status') {
    if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
    return answer(response, failure(fault.code, fault.reason ?? 'Fault'));
  }
  if (fault.kind === 'watchError') {
    return void response.end(`${JSON.stringify({ type: 'ERROR', object: failure(fault.code, 'Fault').body })}\n`);
  }
  SPOILERS[fault.kind](response);
}

const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy();
const silence = (): void => undefined;
const SPOILERS: Record<
  Exclude<ApiFault['kind'], 'none' | 'status' | 'watchError'>,
  (response: ServerResponse) => void
> = {
  reset,
  watchReset: reset,
  silence,
  watchSilence: silence,
  loris: dribble,
  watchLoris: dribble,
  html: (response) => void response.end('<html>a proxy says hello</html>'),
  watchGarbage: (response) => void response.write('this is not { json\n'),
  watchHalfLine: (response) => void response.end('{"type":"ADDED","object":{"metadata":{"na'),
  watchEnd: (response) => void response.end(),
};

/** Sends bytes forever, but never a complete response. */
function dribble(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 5);
  response.on('close', () => clearInterval(timer));
}

function answer(response: ServerResponse, reply: ApiReply): void {
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply.body));
}

async function read(
  incoming: IncomingMessage,
): Promise<{ request: RecordedRequest; collection: string; name: string }> {
  let body = '';
  for await (const chunk of incoming) body += String(chunk);
  const url = new URL(incoming.url ?? '/', 'http://fake');
  const { collection, name } = locate(url.pathname);
  const verb = verbOf(incoming.method, url, name);
  const request = { verb, path: url.pathname, query: url.searchParams, headers: incoming.headers, body };
  return { request, collection, name };
}

/** Namespaces are ignored: a cluster-wide list returns all objects of the plural. */
function locate(path: string): { collection: string; name: string } {
  const below = path.replace(/^(\/api\/v1|\/apis\/[^/]+\/[^/]+)/, '').replace(/^\/namespaces\/[^/]+(?=\/)/, '');
  const [, collection = '', name = ''] = below.split('/');
  return { collection, name };
}

function verbOf(method: string | undefined, url: URL, name: string): Verb {
  const writes: Record<string, Verb> = { POST: 'create', PUT: 'replace', PATCH: 'patch', DELETE: 'delete' };
  const write = writes[method ?? ''];
  if (write !== undefined) return write;
  if (url.searchParams.get('watch') === 'true') return 'watch';
  return name === '' ? 'list' : 'get';
}

function execute(api: ObjectApi, request: RecordedRequest, collection: string, name: string): ApiReply {
  const body = (): KubeObject => JSON.parse(request.body) as KubeObject;
  switch (request.verb) {
    case 'list':
      return api.list(collection, request.query);
    case 'create':
      return api.create(collection, body());
    case 'replace':
      return api.replace(collection, name, body());
    case 'patch':
      return api.mergePatch(collection, name, JSON.parse(request.body) as Record<string, unknown>);
    case 'delete':
      return api.delete(
        collection,
        name,
        (JSON.parse(request.body) as { preconditions?: { uid?: string } }).preconditions,
      );
    default:
      return api.get(collection, name);
  }
}
