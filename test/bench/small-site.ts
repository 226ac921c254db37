import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeIdentity } from '../browser/channels/identity.ts';

/** A site that responds at once, so that only the path to it is measured. */
export interface SmallSite {
  /** Plain text, for `http://shop.test/`. */
  readonly port: number;
  /** With TLS, for `https://127.0.0.1:PORT/`. */
  readonly tlsPort: number;
  close(): Promise<void>;
}

export async function startSmallSite(): Promise<SmallSite> {
  const answer: RequestListener = (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Small</title>ok');
    });
  };
  const { key, cert } = await makeIdentity(['127.0.0.1']);
  const servers: readonly Server[] = [createServer(answer), createTlsServer({ key, cert }, answer)];
  for (const server of servers) {
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  const [port = 0, tlsPort = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  return {
    port,
    tlsPort,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** An expression that sends `count` small POSTs one after another and returns their times in milliseconds. */
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
