import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import type { PhaseState } from '../phase.ts';
import { requestBrowser } from './browser-http.ts';
import { isLocalProgram } from '../../local-caller.ts';
import { relayClient, MAX_FRAME_BYTES } from './relay-client.ts';
import { browserRoute, rewriteDevtoolsUrls } from './json-routes.ts';

/** The DevTools address that agents get: Chromium's routes on loopback, every command of them filtered. */
export interface DevtoolsProxy {
  readonly port: number;
  close(): Promise<void>;
}

export interface DevtoolsProxyOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly cdpSocket: string;
  readonly phase: PhaseState;
  readonly log: Logger;
}

export async function listenDevtoolsProxy(options: DevtoolsProxyOptions): Promise<DevtoolsProxy> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  const server = createServer((request, response) => {
    serve(options, request, response).catch((error: unknown) => {
      options.log.warn({ err: error }, 'the door could not answer');
      reply(response, 502, 'the browser does not answer');
    });
  });
  server.on('upgrade', (request, socket, head) => {
    // Node leaves an upgraded socket without a listener, and a reset would end the process.
    socket.on('error', () => socket.destroy());
    const path = devtoolsPath(request.url ?? '');
    const why = refusal(options.phase, request) ?? (path === null ? NOT_FOUND : null);
    if (why !== null || path === null) return turnAway(socket, why ?? NOT_FOUND);
    sockets.handleUpgrade(request, socket, head, (client) => relayClient({ ...options, client, path }));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      const ended = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await ended;
    },
  };
}

interface Rejection {
  readonly status: 403 | 404 | 503;
  readonly message: string;
}
const NOT_FOUND: Rejection = { status: 404, message: 'no such DevTools route' };

function refusal(phase: PhaseState, request: IncomingMessage): Rejection | null {
  if (!isLocalProgram(request.headers))
    return { status: 403, message: 'the door serves programs on loopback, not pages' };
  if (phase.current === 'armed') return null;
  const message = phase.current === 'starting' ? 'interception is not armed yet' : 'the run has ended';
  return { status: 503, message };
}

async function serve(options: DevtoolsProxyOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const why = refusal(options.phase, request);
  if (why !== null) return reply(response, why.status, why.message);
  const route = browserRoute(request.method ?? 'GET', request.url ?? '');
  if (route === null) return reply(response, NOT_FOUND.status, NOT_FOUND.message);
  const answer = await requestBrowser(options.cdpSocket, route.path, route.method);
  const body = rewriteDevtoolsUrls(answer.body, request.headers.host ?? `127.0.0.1:${options.port}`);
  response.writeHead(answer.status, { 'content-type': answer.contentType }).end(body);
}

function devtoolsPath(url: string): string | null {
  return /^\/devtools\/(?:browser|page)\/[A-Za-z0-9-]+$/.exec(url)?.[0] ?? null;
}

function reply(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`ClawBench: ${message}.\n`);
}

function turnAway(socket: Duplex, { status, message }: Rejection): void {
  const body = `ClawBench: ${message}.\n`;
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
