import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createReadBuffer } from './read-buffer.ts';
import { splice } from './splice.ts';

/** A client, the two sockets between which bytes are copied, and an origin server. */
let servers: Server[];
let client: Socket;
let near: Socket;
let far: Socket;
let site: Socket;

beforeEach(async () => {
  servers = [];
  [client, near] = await pair();
  [far, site] = await pair();
  splice(near, far);
});

afterEach(() => {
  for (const socket of [client, near, far, site]) socket.destroy();
  for (const server of servers) server.close();
});

async function pair(): Promise<[Socket, Socket]> {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  // As the gateway connects to an origin server.
  const buffer = createReadBuffer();
  const to = { port: (server.address() as AddressInfo).port, host: '127.0.0.1', onread: buffer.onread };
  const one = buffer.serve(connect(to));
  one.on('error', () => undefined).pause();
  const [other] = (await once(server, 'connection')) as [Socket];
  other.on('error', () => undefined);
  return [one, other];
}

const MB = 1024 * 1024;

test.each<[string, () => { from: Socket; through: [Socket, Socket]; to: Socket }]>([
  ['an origin server', () => ({ from: client, through: [near, far], to: site })],
  ['a client', () => ({ from: site, through: [far, near], to: client })],
])(
  '%s that does not read stops the other end; once it reads, all bytes come as they were',
  async (_name, ends) => {
    const { from, through, to } = ends();
    const [reading, writing] = through;
    const sent = Buffer.from(Uint32Array.from({ length: (50 * MB) / 4 }, (_, at) => at).buffer);
    from.write(sent);
    let read = -1;
    await expect
      .poll(() => {
        const still = reading.bytesRead === read;
        read = reading.bytesRead;
        return still && read > 0;
      })
      .toBe(true);
    // The bytes here and in the kernel's buffers; the rest waits at the sender.
    expect(reading.readableLength + writing.writableLength).toBeLessThan(MB / 2);
    expect(read).toBeLessThan(sent.length);
    const chunks: Buffer[] = [];
    let count = 0;
    to.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      count += chunk.length;
      // A slow reader: the two ends change between full and empty many times.
      if (chunks.length % 50 !== 0) return;
      to.pause();
      setTimeout(() => to.resume(), 1);
    }).resume();
    await expect.poll(() => count, { timeout: 20_000 }).toBe(sent.length);
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  },
  30_000,
);

test('a reset is passed on as a reset', async () => {
  client.resume();
  const broken = once(client, 'error');
  site.resetAndDestroy();
  await expect(broken).resolves.toMatchObject([{ code: 'ECONNRESET' }]);
});

test('an end reaches the other side after the last byte', async () => {
  let text = '';
  site.on('data', (chunk: Buffer) => (text += chunk.toString())).resume();
  client.end('last words');
  await once(site, 'close');
  expect(text).toBe('last words');
});

test('both directions at once', async () => {
  const sent = Buffer.alloc(3 * MB, 'abcdefg');
  const gathered = new Map<Socket, Buffer[]>();
  for (const end of [client, site]) {
    const chunks: Buffer[] = [];
    gathered.set(end, chunks);
    end.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
    end.write(sent);
  }
  for (const chunks of gathered.values()) {
    await expect.poll(() => chunks.reduce((sum, { length }) => sum + length, 0)).toBe(sent.length);
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  }
});
