import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { closeServer, listenOn } from '../listen.ts';
import { isLocalProgram, isLoopbackHost } from '../local-caller.ts';
import { ANSWER_PAGE_ROUTES } from './answer-page.ts';
import { readJsonBody, RequestRefused } from './read-json.ts';
import { ROUTES, type ControlReply } from './routes.ts';
import type { AttemptControl } from './attempt-control.ts';

export interface ControlServer {
  readonly port: number;
  close(): Promise<void>;
}

/** More than a harness, a shim and a person need; fewer than would do harm. */
const MAX_CONNECTIONS = 128;
/** For the answer to `POST /api/finalise`, on which the shim waits. */
const CLOSE_GRACE_MS = 1000;

/**
 * The control API on loopback (docs/protocol.md).
 * @param port 0: any free one.
 */
export async function startControl(attempt: AttemptControl, port: number, log: Logger): Promise<ControlServer> {
  const server = createServer((request, response) => {
    void answer(attempt, request, log).then((reply) => {
      send(response, reply);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  return { port: await listenOn(server, port), close: () => closeServer(server, CLOSE_GRACE_MS) };
}

async function answer(attempt: AttemptControl, request: IncomingMessage, log: Logger): Promise<ControlReply> {
  // The path is compared as text, whole: without decoding or normalizing there are no tricks with either.
  const name = `${request.method ?? ''} ${(request.url ?? '').split('?', 1)[0] ?? ''}`;
  const route = ROUTES.get(name);
  const refused = callerRefusal(name, request.headers);
  if (refused !== null) return { status: 403, body: { error: refused } };
  if (route === undefined) return { status: 404, body: { error: 'no such route' } };
  const gone = new AbortController();
  request.once('close', () => {
    if (!request.complete) gone.abort();
  });
  request.socket.once('close', () => {
    gone.abort();
  });
  try {
    const body = request.method === 'POST' ? await readJsonBody(request, route.limit) : null;
    return await route.answer({ attempt, body, signal: gone.signal });
  } catch (error) {
    if (error instanceof RequestRefused) return { status: error.status, body: { error: error.message } };
    log.error({ route: name, err: error }, 'control route failed');
    return { status: 500, body: { error: 'internal error' } };
  }
}

/** Why a caller is refused; null: it is admitted. */
function callerRefusal(route: string, headers: IncomingHttpHeaders): string | null {
  if (!isLoopbackHost(headers.host)) return 'the control API serves loopback host names only';
  if (ANSWER_PAGE_ROUTES.has(route) || isLocalProgram(headers)) return null;
  return 'pages may use only the answer page';
}

function send(response: ServerResponse, { status, body, contentType }: ControlReply): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    ...(text === '' ? {} : { 'content-type': contentType ?? 'application/json' }),
    'cache-control': 'no-store',
    // The rest of a refused body is not read.
    ...(status === 413 ? { connection: 'close' } : {}),
  });
  response.end(text);
}
