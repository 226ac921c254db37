import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `/healthz`: the process is alive. `/readyz`: it can do its part, as the leader or as a standby; a replica that waits
 * for the lease is ready, because a rollout must not wait for it. `/metrics`.
 * @param ready why it is not ready, in one sentence; null when it is.
 */
export async function startHttpServer(
  port: number,
  registry: Registry,
  ready: () => string | null,
): Promise<HttpServer> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '/', response, registry, ready);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  url: string,
  response: ServerResponse,
  registry: Registry,
  ready: () => string | null,
): Promise<void> {
  const send = (status: number, type: string, body: string): void => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };
  const text = 'text/plain; charset=utf-8';
  switch (url.split('?')[0]) {
    case '/healthz':
      return send(200, text, 'ok\n');
    case '/readyz': {
      const why = ready();
      return why === null ? send(200, text, 'ok\n') : send(503, text, `${why}\n`);
    }
    case '/metrics':
      return send(200, registry.contentType, await registry.metrics());
    default:
      return send(404, text, 'not found\n');
  }
}
