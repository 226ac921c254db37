import { createServer } from 'node:http';
import { closeServer, listenOn } from '../listen.ts';

export interface ProgressServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface ProgressSource {
  progress(): Promise<unknown>;
  metrics(): Promise<string>;
}

/**
 * Serves `/progress` and `/metrics`, read-only, on the only port that listens beyond loopback (the NetworkPolicy admits
 * the operator and Prometheus). Only the path of a request is read.
 */
export async function startProgress(source: ProgressSource, port: number, host: string): Promise<ProgressServer> {
  const server = createServer((request, response) => {
    void answer(source, request.method === 'GET' ? (request.url ?? '') : '').then(({ status, type, text }) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    });
  });
  server.maxConnections = 32;
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  return { port: await listenOn(server, port, host), close: () => closeServer(server, 0) };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function answer(source: ProgressSource, path: string): Promise<Answer> {
  if (path === '/progress')
    return { status: 200, type: 'application/json', text: JSON.stringify(await source.progress()) };
  if (path === '/metrics') return { status: 200, type: 'text/plain; version=0.0.4', text: await source.metrics() };
  return { status: 404, type: 'text/plain', text: 'not found\n' };
}
