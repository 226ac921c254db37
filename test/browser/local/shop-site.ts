import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop with one page, and the requests that reached its server. */
export interface ShopSite {
  readonly port: number;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const PAGE = `<!doctype html><title>Shop</title>
<button id="order" onclick="fetch('/api/order', { method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ item: 'lamp', id: 9007199254740993n.toString() }) })">Order</button>
<button id="look" onclick="fetch('/api/look', { method: 'POST', body: 'x' })">Look</button>`;

export async function startShopSite(): Promise<ShopSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
