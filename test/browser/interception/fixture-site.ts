import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';

/** A site that responds to every request and records what reached it, byte for byte. */
export interface FixtureSite {
  readonly port: number;
  readonly arrived: readonly ArrivedRequest[];
  /** The requests whose path starts with this. */
  at(path: string): ArrivedRequest[];
  clear(): void;
  close(): Promise<void>;
}

export interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export async function startFixtureSite(pages: Readonly<Record<string, string>> = {}): Promise<FixtureSite> {
  const arrived: ArrivedRequest[] = [];
  const upgraded = new Set<Duplex>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      arrived.push({
        method: request.method ?? '',
        path,
        host: request.headers.host ?? '',
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks),
      });
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
      response.setHeader('access-control-allow-methods', '*');
      const redirect = /^\/redirect\?to=(.*)$/.exec(path)?.[1];
      if (redirect !== undefined) return response.writeHead(307, { location: decodeURIComponent(redirect) }).end();
      const page = pages[path.split('?')[0] ?? ''];
      const script = path.split('?')[0]?.endsWith('.js') === true;
      response.setHeader('content-type', script ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(page ?? `<!doctype html><title>${createHash('sha1').update(path).digest('hex')}</title>`);
    });
  });
  server.on('upgrade', (request, socket) => {
    arrived.push({
      method: 'UPGRADE',
      path: request.url ?? '',
      host: request.headers.host ?? '',
      rawHeaders: request.rawHeaders,
      body: Buffer.alloc(0),
    });
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    // The server no longer closes an upgraded socket.
    upgraded.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => upgraded.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    arrived,
    at: (path) => arrived.filter((request) => request.path.startsWith(path)),
    clear: () => arrived.splice(0),
    close: async () => {
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
