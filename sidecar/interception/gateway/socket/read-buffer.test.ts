import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createReadBuffer, lendReads, type Borrow } from './read-buffer.ts';
import { readSocket } from './read-socket.ts';

let server: Server;
let reader: Socket;
let peer: Socket;

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const buffer = createReadBuffer();
  const { port } = server.address() as AddressInfo;
  reader = buffer.serve(connect({ port, host: '127.0.0.1', onread: buffer.onread }));
  [peer] = (await once(server, 'connection')) as [Socket];
});

afterEach(() => {
  reader.destroy();
  peer.destroy();
  server.close();
});

/** The memory addresses of three consecutive reads. */
async function places(outcome: ReturnType<Borrow>): Promise<readonly ArrayBufferLike[]> {
  const seen: ArrayBufferLike[] = [];
  lendReads(reader, (bytes) => {
    seen.push(bytes.buffer);
    return outcome;
  });
  for (const count of [1, 2, 3]) {
    peer.write('x');
    await expect.poll(() => seen.length).toBe(count);
  }
  return seen;
}

test('bytes that are not held are overwritten by the next read', async () => {
  expect(new Set(await places('done')).size).toBe(1);
});

test('bytes that are held are not overwritten', async () => {
  expect(new Set(await places('held')).size).toBe(3);
});

test('bytes that are not borrowed come as data with their own memory', async () => {
  const chunks: Buffer[] = [];
  reader.on('data', (chunk: Buffer) => chunks.push(chunk));
  await places('refused');
  lendReads(reader, null);
  peer.end('end');
  await once(reader, 'end');
  expect(Buffer.concat(chunks).toString()).toBe('xxxend');
});

test('a reader whose destination has written everything reads into the same memory', async () => {
  const seen: ArrayBufferLike[] = [];
  const to = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(to, 'connect');
  readSocket(reader, (chunk) => to.write(chunk) && seen.push(chunk.buffer), to);
  reader.resume();
  for (const count of [1, 2, 3]) {
    peer.write('x');
    await expect.poll(() => seen.length).toBe(count);
  }
  expect(new Set(seen).size).toBe(1);
  to.destroy();
});
