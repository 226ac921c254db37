import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CdpClient, connectCdp, openPage } from './cdp-client.ts';
import { startInterceptionSession, type InterceptionSession } from './session.ts';

/** A body without a length ends where the connection does: complete after a FIN, broken after a reset. */
const HALF = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nhalf of it';
const PAGE =
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 19\r\nConnection: close\r\n\r\n<!doctype html><p>x';
const ENDS: Readonly<Record<string, (socket: Socket) => void>> = {
  '/farewell': (socket) => socket.end(),
  '/reset': (socket) => socket.resetAndDestroy(),
};
const site = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (head: Buffer) => {
    const end = ENDS[head.toString('latin1').split(' ')[1] ?? ''];
    if (end === undefined) return void socket.end(PAGE);
    // The bytes must have arrived: a reset overtakes those that have not.
    socket.write(HALF, () => setTimeout(() => end(socket), 300));
  });
});
let session: InterceptionSession;
let cdp: CdpClient;
let address: string;

beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  address = `127.0.0.1:${String((site.address() as AddressInfo).port)}`;
  session = await startInterceptionSession({
    evalSchema: { url_pattern: '/never', method: 'POST' },
    network: { allow: [address], map: [{ host: 'shop.test', address }] },
  });
  cdp = await connectCdp(session.interception.evidenceEndpoint());
});
afterAll(async () => {
  cdp.close();
  await session.close();
  site.close();
});

test.each([
  ['a plain-text site', (): string => `http://${address}`],
  ['a mapped plain-text site', () => 'http://shop.test'],
  ['a mapped site whose TLS is terminated in the gateway', () => 'https://shop.test'],
])('a page sees how the response of %s ended', async (_what, origin) => {
  const page = await openPage(cdp, `${origin()}/`);
  const seen = (path: string): Promise<unknown> =>
    page.evaluate(`fetch('${path}').then((reply) => reply.text()).catch(() => 'broken')`);
  expect(await seen('/farewell')).toBe('half of it');
  expect(await seen('/reset')).toBe('broken');
});
