import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { parseClientHello } from './client-hello.ts';
import { detectTunnelProtocol } from './tunnel-protocol.ts';

/** What OpenSSL really sends. */
async function hello(options: { ALPNProtocols?: string[]; servername?: string }): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', ...options });
  client.on('error', () => undefined);
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  client.destroy();
  server.close();
  return bytes as Buffer;
}

let socketHello: Buffer;
beforeAll(async () => {
  socketHello = await hello({ ALPNProtocols: ['http/1.1'], servername: 'shop.example' });
});

test('protocols and name are read', async () => {
  expect(parseClientHello(socketHello)).toEqual({ kind: 'hello', alpn: ['http/1.1'], serverName: 'shop.example' });
  const page = await hello({ ALPNProtocols: ['h2', 'http/1.1'] });
  expect(parseClientHello(page)).toEqual({ kind: 'hello', alpn: ['h2', 'http/1.1'], serverName: '' });
});

test('every prefix asks for more, and no byte of it decides early', () => {
  fc.assert(
    fc.property(fc.nat(), (cut) => {
      const length = cut % socketHello.length;
      expect(parseClientHello(socketHello.subarray(0, length)).kind).toBe('more');
    }),
  );
});

test('a message split into several records is read', () => {
  const message = socketHello.subarray(5);
  const record = (part: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0x16, 3, 1, part.length >> 8, part.length & 255]), part]);
  const split = Buffer.concat([
    record(message.subarray(0, 3)),
    record(message.subarray(3, 90)),
    record(message.subarray(90)),
  ]);
  expect(parseClientHello(split)).toMatchObject({ kind: 'hello', alpn: ['http/1.1'] });
});

test('random bytes never throw', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      (bytes) => void detectTunnelProtocol(Buffer.from([0x16, 3, 1, ...bytes])),
    ),
  );
});

const upgrade = 'GET /chat?x=1 HTTP/1.1\r\nHost: a.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
test.each([
  ['nothing yet', '', 'more'],
  ['a handshake', upgrade, 'websocket'],
  ['a handshake in part', upgrade.slice(0, 30), 'more'],
  ['the first letters of one', 'GE', 'more'],
  ['plain HTTP', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'other'],
  ['a POST', 'POST / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n', 'other'],
  ['TURN over TCP', '\x00\x03\x00\x08\x21\x12\xa4\x42', 'other'],
  ['SSH', 'SSH-2.0-x\r\n', 'other'],
  ['TLS that is no ClientHello', '\x16\x03\x01\x00\x04\x02\x00\x00\x00', 'other'],
  ['an endless head', `GET /${'a'.repeat(70_000)}`, 'other'],
])('first bytes: %s → %s', (_name, text, expected) => {
  expect(detectTunnelProtocol(Buffer.from(text, 'latin1')).kind).toBe(expected);
});

test('TLS without ALPN is no browser’s HTTP', async () => {
  expect(detectTunnelProtocol(await hello({})).kind).toBe('other');
  expect(detectTunnelProtocol(socketHello)).toEqual({ kind: 'tls', alpn: ['http/1.1'] });
});
