import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ALMANAC_PAGES } from './almanac.ts';
import { SHOP_PAGES } from './shops.ts';

/**
 * All sites of the demo in one server, distinguished by the Host header. `/arrivals` lists every write that arrives: after a
 * demo the list must be empty, because each write is a terminal request that should have been blocked.
 */

const WRITES = new Set(['/api/orders', '/book', '/applications', '/graphql']);
const arrivals: { host: string; path: string; at: string }[] = [];

function hostOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
}

function send(response: ServerResponse, status: number, body: string, type = 'text/html; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= 1_048_576) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function write(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const body = await readBody(request);
  if (path === '/graphql' && body.includes('"FilmPage"')) {
    send(response, 200, JSON.stringify({ data: { film: { views: 17 } } }), 'application/json');
    return;
  }
  arrivals.push({ host: hostOf(request), path, at: new Date().toISOString() });
  send(response, 201, JSON.stringify({ ok: true }), 'application/json');
}

function read(request: IncomingMessage, response: ServerResponse, path: string): void {
  if (path === '/healthz') return send(response, 200, 'ok', 'text/plain');
  if (path === '/arrivals') return send(response, 200, JSON.stringify(arrivals), 'application/json');
  const host = hostOf(request);
  const found = host === 'almanac.demo.test' ? ALMANAC_PAGES[path] : path === '/' ? SHOP_PAGES[host] : undefined;
  send(response, found === undefined ? 404 : 200, found ?? 'not found');
}

const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://site.invalid').pathname;
  if (request.method === 'POST' && WRITES.has(path)) {
    write(request, response, path).catch(() => response.destroy());
    return;
  }
  read(request, response, path);
});

const port = Number(process.env['PORT'] ?? '8080');
// In a Pod, it listens on every address. A local session passes the address, uses a free port and ends the server by closing stdin.
server.listen(port, process.env['HOST'], () => {
  console.log(`demo sites on port ${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => server.close(() => process.exit(0)));
if (process.env['CLAWBENCH_LIFELINE'] === 'stdin') process.stdin.on('end', () => process.exit(0)).resume();
