import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site that answers everything at once: what is measured is the way there. */
export interface SmallSite {
  readonly port: number;
  close(): Promise<void>;
}

export async function startSmallSite(): Promise<SmallSite> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Small</title>ok');
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An expression that makes `count` small POSTs one after the other and gives their times in milliseconds. */
export function smallRequests(count: number): string {
  return `(async () => {
    const times = [];
    for (let n = 0; n < ${String(count)}; n++) {
      const from = performance.now();
      const reply = await fetch('/api/small', { method: 'POST', body: '{"n":1}', headers: { 'content-type': 'application/json' } });
      await reply.arrayBuffer();
      times.push(performance.now() - from);
    }
    return times;
  })()`;
}
