import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InterceptionEvent } from '../../../contracts.ts';
import { armedContext } from '../context.fixture.ts';
import { createTraffic } from '../traffic.ts';
import { openTunnel } from './tunnel.ts';

/** Plain WebSockets through a tunnel to an origin server that takes none: it would read any further bytes as a request. */
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
let site: Server;
let host: string;
let received: string;
let proxy: Server;
let events: InterceptionEvent[];
let traffic: ReturnType<typeof createTraffic>;

beforeEach(async () => {
  received = '';
  events = [];
  traffic = createTraffic();
  site = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      socket.write(ANSWER);
    });
  });
  host = await listening(site);
  const context = armedContext(
    { url_pattern: '/live', method: 'GET' },
    { allow: [host], map: [] },
    { traffic, emit: (event) => events.push(event) },
  );
  proxy = createServer((client) => {
    traffic.inbound(client);
    client.pause();
    openTunnel(context, () => Promise.resolve(false), host, client);
  });
  await listening(proxy);
});

afterEach(() => {
  traffic.destroyAll();
  site.close();
  proxy.close();
});

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends it once the tunnel is established. @returns what comes back until the connection closes. */
async function through(bytes: string): Promise<string> {
  const client: Socket = connect((proxy.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  let received = '';
  client.once('data', () => client.on('data', (chunk: Buffer) => (received += chunk.toString('latin1'))).write(bytes));
  await once(client, 'close');
  return received;
}

const handshake = (path: string, name = host): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${name}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`;
const POST = 'POST /buy HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';

test.each<[string, () => string]>([
  ['in absolute form', () => handshake(`http://${host}/x`)],
  ['of another origin in absolute form', () => handshake('http://shop.test/live', 'shop.test')],
  ['for another host', () => handshake('/x', 'shop.test')],
  ['for two hosts', () => handshake('/x').replace('Upgrade:', 'Host: shop.test\r\nUpgrade:')],
  ['with a body', () => handshake('/x').replace('\r\n\r\n', '\r\nContent-Length: 9\r\n\r\n')],
  ['with two Upgrade headers', () => handshake('/x').replace('Upgrade:', 'Upgrade: h2c\r\nUpgrade:')],
])('a handshake %s does not leave, nor do the bytes after it', async (_name, make) => {
  expect(await through(make() + POST)).toMatch(/^HTTP\/1\.1 400/);
  expect(received).toBe('');
});

test('a request after a handshake does not leave', async () => {
  await through(handshake('/x') + POST);
  expect(received).toBe(handshake('/x'));
  expect(events).toEqual([]);
});

test('a handshake that is the target does not leave, and is reported', async () => {
  expect(await through(handshake('/live') + POST)).toBe('');
  expect(received).toBe('');
  expect(events).toMatchObject([{ type: 'blocked', reason: 'socket', url: `ws://${host}/live`, method: 'GET' }]);
});
