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
import { browserRoute, rewriteDevToolsUrls } from './json-routes.ts';

/** The DevTools address that agents get: Chromium's routes on loopback, with every command filtered. */
export interface DevToolsProxy {
  readonly port: number;
  close(): Promise<void>;
}

export interface DevToolsProxyOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly cdpSocket: string;
  readonly phase: PhaseState;
  readonly log: Logger;
}

export async function listenDevToolsProxy(options: DevToolsProxyOptions): Promise<DevToolsProxy> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  const server = createServer((request, response) => {
    serve(options, request, response).catch((error: unknown) => {
      options.log.warn({ err: error }, 'the DevTools proxy could not respond');
      reply(response, 502, 'the browser did not respond');
    });
  });
  server.on('upgrade', (request, socket, head) => {
    // Node leaves an upgraded socket without an error listener, and a reset would end the process.
    socket.on('error', () => socket.destroy());
    const path = devToolsPath(request.url ?? '');
    const rejected = rejection(options.phase, request) ?? (path === null ? NOT_FOUND : null);
    if (rejected !== null || path === null) return rejectUpgrade(socket, rejected ?? NOT_FOUND);
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

function rejection(phase: PhaseState, request: IncomingMessage): Rejection | null {
  if (!isLocalProgram(request.headers))
    return { status: 403, message: 'the DevTools proxy serves programs on loopback, not pages' };
  if (phase.current === 'armed') return null;
  const message = phase.current === 'starting' ? 'interception is not armed yet' : 'the run has ended';
  return { status: 503, message };
}

async function serve(options: DevToolsProxyOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const rejected = rejection(options.phase, request);
  if (rejected !== null) return reply(response, rejected.status, rejected.message);
  const route = browserRoute(request.method ?? 'GET', request.url ?? '');
  if (route === null) return reply(response, NOT_FOUND.status, NOT_FOUND.message);
  const fromBrowser = await requestBrowser(options.cdpSocket, route.path, route.method);
  const body = rewriteDevToolsUrls(fromBrowser.body, request.headers.host ?? `127.0.0.1:${options.port}`);
  response.writeHead(fromBrowser.status, { 'content-type': fromBrowser.contentType }).end(body);
}

function devToolsPath(url: string): string | null {
  return /^\/devtools\/(?:browser|page)\/[A-Za-z0-9-]+$/.exec(url)?.[0] ?? null;
}

function reply(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`ClawBench: ${message}.\n`);
}

function rejectUpgrade(socket: Duplex, { status, message }: Rejection): void {
  const body = `ClawBench: ${message}.\n`;
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
