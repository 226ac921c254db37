import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSocket } from './read-socket.ts';

let server: Server;
let reader: Socket;
let peer: Socket;

beforeEach(async () => {
  server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  peer = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
  [reader] = (await once(server, 'connection')) as [Socket];
});

afterEach(() => {
  peer.destroy();
  reader.destroy();
  server.close();
});

/** Every byte differs from its neighbors and from those at another offset. */
const pattern = (size: number): Buffer => Buffer.from(Uint32Array.from({ length: size / 4 }, (_, at) => at).buffer);

function gather(): { readonly chunks: Buffer[]; readonly take: (chunk: Buffer) => void; readonly text: () => string } {
  const chunks: Buffer[] = [];
  return { chunks, take: (chunk) => void chunks.push(chunk), text: () => Buffer.concat(chunks).toString('latin1') };
}

test('what Node reads goes straight to the reader, past the stream: this fails when Node changes that', async () => {
  const { take, text } = gather();
  readSocket(reader, take);
  const emitted = vi.spyOn(reader, 'emit');
  reader.resume();
  for (const word of ['one ', 'two ', 'three']) {
    const before = text();
    peer.write(word);
    await expect.poll(text).toBe(before + word);
  }
  expect(emitted.mock.calls.map(([name]) => String(name))).not.toContain('data');
});

test('without that shortcut every byte comes as data, so only time would be lost', async () => {
  const { take, text } = gather();
  readSocket(reader, take);
  delete (reader as { push?: unknown }).push;
  reader.resume();
  peer.end('all of it');
  await once(reader, 'end');
  expect(text()).toBe('all of it');
});

test('a reader that pauses at every chunk gets all bytes in order, and only a little is read ahead', async () => {
  const sent = pattern(8 * 1024 * 1024);
  const { chunks, take } = gather();
  let most = 0;
  readSocket(reader, (chunk) => {
    take(chunk);
    reader.pause();
    most = Math.max(most, reader.readableLength);
    if (chunks.length % 2 === 0) reader.resume();
    else setTimeout(() => reader.resume(), chunks.length % 3);
  });
  reader.resume();
  peer.end(sent);
  await once(reader, 'end');
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  expect(most).toBeLessThanOrEqual(2 * 64 * 1024);
});

test('reading stops while the socket is paused', async () => {
  const { take } = gather();
  readSocket(reader, (chunk) => {
    take(chunk);
    reader.pause();
  });
  reader.resume();
  peer.write(pattern(32 * 1024 * 1024));
  await expect.poll(() => reader.readableLength).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(reader.bytesRead).toBeLessThan(1024 * 1024);
});

test('bytes that were put back come first', async () => {
  const { take, text } = gather();
  reader.unshift(Buffer.from('first '));
  readSocket(reader, take);
  peer.end('second');
  reader.resume();
  await once(reader, 'end');
  expect(text()).toBe('first second');
});

test('bytes read between a resume and the delivery of buffered bytes come after those', async () => {
  const { take, text } = gather();
  readSocket(reader, take);
  reader.unshift(Buffer.from('first '));
  reader.resume();
  // TLS delivers one record after the other, within one turn.
  reader.push(Buffer.from('second'));
  await expect.poll(text).toBe('first second');
});

test('a second listener gets the same bytes as the reader', async () => {
  const [one, other] = [gather(), gather()];
  readSocket(reader, one.take);
  reader.on('data', other.take).resume();
  peer.write('both');
  await expect.poll(other.text).toBe('both');
  reader.removeListener('data', other.take);
  peer.write(' or one');
  await expect.poll(one.text).toBe('both or one');
  expect(other.text()).toBe('both');
});

test('a reader that stops, even twice, leaves the rest to the next one', async () => {
  const [one, other] = [gather(), gather()];
  const stop = readSocket(reader, (chunk) => {
    one.take(chunk.subarray(0, 4));
    stop();
    reader.pause();
    reader.unshift(chunk.subarray(4));
  });
  reader.resume();
  peer.write('one rest ');
  await expect.poll(one.text).toBe('one ');
  readSocket(reader, other.take);
  const straight: unknown = Reflect.get(reader, 'push');
  stop();
  expect(Reflect.get(reader, 'push')).toBe(straight);
  reader.resume();
  peer.end('more');
  await once(reader, 'end');
  expect([one.text(), other.text()]).toEqual(['one ', 'rest more']);
});

test('an end closes one half of the connection', async () => {
  const { take, text } = gather();
  readSocket(reader, take);
  reader.resume();
  peer.write('last');
  await expect.poll(text).toBe('last');
  peer.end();
  await once(reader, 'close');
  expect(reader.readableEnded).toBe(true);
});
