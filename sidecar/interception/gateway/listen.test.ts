import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import { makeIdentity } from '../../../test/browser/channels/identity.ts';
import type { InterceptionEvent } from '../../contracts.ts';
import { createBodyClearedRequests, type BodyClearedRequests } from '../guard/body-cleared-requests.ts';
import { createPhase, type PhaseState } from '../phase.ts';
import { createCertificateAuthority } from './tunnel/certificates.ts';
import { listenGateway, type Gateway } from './listen.ts';
import { routeRules } from './policy/route.ts';
import { webSocketRule } from './policy/websocket-rule.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** The gateway over real sockets: what a browser sends, byte for byte, and what arrives at the origin server. */
let dir: string;
let origin: Server;
let originPort: number;
let seen: { head: IncomingMessage; body: Buffer }[];
let events: InterceptionEvent[];
let refusedUnarmed: string[];
let phase: PhaseState;
let bodyCleared: BodyClearedRequests;
let gateway: Gateway;
let traffic: Traffic;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cb-gw-'));
  seen = [];
  events = [];
  refusedUnarmed = [];
  origin = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ head: request, body: Buffer.concat(chunks) });
      response.writeHead(200, ['X-Case', 'Kept', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Length', '5']);
      response.end('hello');
    });
  });
  origin.on('upgrade', (request, socket: Socket) => {
    seen.push({ head: request, body: Buffer.alloc(0) });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.pipe(socket);
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  originPort = (origin.address() as AddressInfo).port;
  await start({ url_pattern: '/pay', method: 'POST' });
});

afterEach(async () => {
  await gateway.close();
  origin.closeAllConnections();
  origin.close();
  await rm(dir, { recursive: true });
});

async function start(evalSchema: unknown): Promise<void> {
  phase = createPhase();
  bodyCleared = createBodyClearedRequests();
  traffic = createTraffic();
  const target = compileTarget(evalSchema);
  const network = {
    allow: [`127.0.0.1:${originPort}`, '127.0.0.1:9222'],
    map: [{ host: 'shop.test', address: `127.0.0.1:${originPort}` }],
  };
  gateway = await listenGateway(
    {
      phase,
      target,
      bodyCleared,
      routes: routeRules(network, 7878),
      webSocketRule: webSocketRule(target),
      authority: await createCertificateAuthority(),
      traffic,
      ownPorts: new Set([7878, 9222]),
      refusedUnarmed: (url) => refusedUnarmed.push(url),
      emit: (event) => events.push(event),
      log: pino({ level: 'silent' }),
    },
    { proxyPort: 0 },
  );
  phase.advance('armed');
}

async function restart(evalSchema: unknown): Promise<void> {
  await gateway.close();
  await start(evalSchema);
}

function dial(): Socket {
  return connect(gateway.proxyPort ?? 0, '127.0.0.1').on('error', () => undefined);
}

/** Sends bytes. @returns what came back until the pattern matches or the connection ends. */
async function say(socket: Socket, bytes: string | Buffer, until: RegExp): Promise<string> {
  socket.write(bytes);
  return listen(socket, until);
}

function listen(socket: Socket, until: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const take = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (until.test(text)) done();
    };
    const done = (): void => {
      socket.removeListener('data', take);
      socket.removeListener('close', done);
      resolve(text);
    };
    socket.on('data', take).once('close', done);
  });
}

const get = (url: string, more = ''): string =>
  `GET ${url} HTTP/1.1\r\nHost: ${url.split('/')[2]}\r\nProxy-Connection: keep-alive\r\n${more}\r\n`;
const url = (path: string): string => `http://127.0.0.1:${originPort}${path}`;

test('a request keeps its path, its header names and their order; so does the response', async () => {
  const response = await say(
    dial(),
    get(url('/a%2Fb/../c?x=%61'), 'sec-CH-ua: "x"\r\nX-ODD: 1\r\nx-odd: 2\r\n'),
    /hello$/,
  );
  expect(response).toContain('X-Case: Kept\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n');
  expect(seen[0]?.head.url).toBe('/a%2Fb/../c?x=%61');
  expect(seen[0]?.head.rawHeaders.slice(0, 10)).toEqual([
    'Host',
    `127.0.0.1:${originPort}`,
    'Connection',
    'keep-alive',
    'sec-CH-ua',
    '"x"',
    'X-ODD',
    '1',
    'x-odd',
    '2',
  ]);
  expect(seen[0]?.head.rawHeaders.join()).not.toContain('Proxy-Connection');
});

test('a body arrives as it was sent, and the connection is reused', async () => {
  const socket = dial();
  const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
  const head = `POST ${url('/basket')} HTTP/1.1\r\nHost: 127.0.0.1:${originPort}\r\nContent-Length: ${body.length}\r\n\r\n`;
  await say(socket, Buffer.concat([Buffer.from(head), body]), /hello$/);
  await say(socket, get(url('/second')), /hello$/);
  expect(seen[0]?.body.equals(body)).toBe(true);
  expect(seen[1]?.head.url).toBe('/second');
  expect(seen[0]?.head.socket).toBe(seen[1]?.head.socket);
});

test('a PATCH without a body gets none', async () => {
  await say(dial(), `PATCH ${url('/x')} HTTP/1.1\r\nHost: 127.0.0.1:${originPort}\r\n\r\n`, /hello$/);
  expect(seen[0]?.head.headers['transfer-encoding']).toBeUndefined();
  expect(seen[0]?.body.length).toBe(0);
});

test('no request passes before the run is armed or after it has ended', async () => {
  await gateway.close();
  await start({ url_pattern: '/pay', method: 'POST' });
  for (const step of ['matched', 'frozen', 'lost'] as const) {
    phase.advance(step);
    expect(await say(dial(), get(url('/x')), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 403/);
    expect(await say(dial(), `CONNECT 127.0.0.1:${originPort} HTTP/1.1\r\n\r\n`, /\r\n\r\n/)).toMatch(
      /^HTTP\/1\.1 403/,
    );
  }
  expect(seen).toEqual([]);
  expect(refusedUnarmed).toContain(url('/x'));
});

test('destroyAll closes requests and tunnels in mid-stream', async () => {
  const socket = dial();
  await say(socket, get(url('/x')), /hello$/);
  const tunnel = dial();
  await say(tunnel, `CONNECT 127.0.0.1:${originPort} HTTP/1.1\r\n\r\n`, /established\r\n\r\n$/);
  const ends = Promise.all([once(socket, 'close'), once(tunnel, 'close')]);
  phase.advance('frozen');
  traffic.destroyAll();
  await ends;
});

test.each([
  ['a private address', 'http://10.1.2.3/', 403],
  ['loopback that the run does not allow', 'http://127.0.0.1:1/', 403],
  ['metadata', 'http://169.254.169.254/latest/', 403],
  ['a mapped form of loopback', 'http://[::ffff:127.0.0.1]/', 403],
  ['an address as a number', 'http://2130706433/', 403],
  ['a name of a private address', 'http://localhost:1/', 403],
  ['a port of the recorder, even allowed', 'http://127.0.0.1:9222/json/version', 403],
  ['the control API', 'http://127.0.0.1:7878/api/stop', 403],
  ['an unknown name', 'http://nowhere.invalid/', 502],
])('%s is refused', async (_name, target, status) => {
  expect(await say(dial(), get(target), /\.\n$/)).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
  if (status === 403) expect(events).toMatchObject([{ type: 'blocked', reason: 'local', url: target }]);
  const { host, port } = new URL(target);
  const tunnel = await say(dial(), `CONNECT ${port === '' ? `${host}:80` : host} HTTP/1.1\r\n\r\n`, /\r\n\r\n/);
  expect(tunnel).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
});

test('a request that matches and was never paused does not leave, and is reported as an escape', async () => {
  expect(
    await say(
      dial(),
      `POST ${url('/pay')} HTTP/1.1\r\nHost: 127.0.0.1:${originPort}\r\nContent-Length: 0\r\n\r\n`,
      /\.\n$/,
    ),
  ).toMatch(/^HTTP\/1\.1 403/);
  expect(seen).toEqual([]);
  expect(events).toEqual([{ type: 'escape', url: url('/pay') }]);
});

test('with a body filter, a request that the guard cleared passes; any other match is an escape', async () => {
  await restart({ url_pattern: '/pay', method: 'POST', body: { op: 'buy' } });
  const request = `POST ${url('/pay')} HTTP/1.1\r\nHost: 127.0.0.1:${originPort}\r\nContent-Length: 0\r\n\r\n`;
  expect(await say(dial(), request, /\.\n$/)).toMatch(/^HTTP\/1\.1 403/);
  expect(events).toEqual([{ type: 'escape', url: url('/pay') }]);
  bodyCleared.add({ method: 'POST', url: url('/pay') });
  expect(await say(dial(), request, /hello$/)).toMatch(/^HTTP\/1\.1 200/);
  expect(seen).toHaveLength(1);
  expect(events).toHaveLength(1);
});

test.each([
  ['bytes that are neither TLS nor HTTP', 'SSH-2.0-x\r\n'],
  ['HTTP that is not a WebSocket', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
])('a tunnel of %s is closed before a byte of it leaves', async (_name, bytes) => {
  const received: Buffer[] = [];
  origin.on('connection', (socket) => socket.on('data', (chunk: Buffer) => received.push(chunk)));
  const tunnel = dial();
  await say(tunnel, `CONNECT 127.0.0.1:${originPort} HTTP/1.1\r\n\r\n`, /established\r\n\r\n$/);
  await say(tunnel, bytes, /never/);
  expect(tunnel.destroyed).toBe(true);
  expect(Buffer.concat(received).length).toBe(0);
});

const handshake = (path: string, host = `127.0.0.1:${originPort}`): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`;

test('a plain WebSocket passes in both directions, unless it is the target of a GET task', async () => {
  await restart({ url_pattern: '/live', method: 'GET' });
  const open = async (path: string): Promise<[Socket, string]> => {
    const tunnel = dial();
    await say(tunnel, `CONNECT 127.0.0.1:${originPort} HTTP/1.1\r\n\r\n`, /established\r\n\r\n$/);
    return [tunnel, await say(tunnel, handshake(path), /Upgrade\r\n\r\n$/)];
  };
  const [chat, response] = await open('/chat');
  expect(response).toContain('101');
  expect(await say(chat, 'echo me', /echo me/)).toBe('echo me');
  const [, refused] = await open('/live');
  expect(refused).toBe('');
  expect(events).toMatchObject([{ type: 'blocked', reason: 'socket', url: `ws://127.0.0.1:${originPort}/live` }]);
  expect(seen.map(({ head }) => head.url)).toEqual(['/chat']);
});

async function tlsTo(host: string, alpn: string[]): Promise<TLSSocket> {
  const tunnel = dial();
  await say(tunnel, `CONNECT ${host} HTTP/1.1\r\n\r\n`, /established\r\n\r\n$/);
  const tls = connectTls({
    socket: tunnel,
    servername: host.split(':')[0] ?? '',
    rejectUnauthorized: false,
    ALPNProtocols: alpn,
  });
  tls.on('error', () => undefined);
  await new Promise((resolve) => tls.once('secureConnect', resolve).once('close', resolve));
  return tls;
}

test('TLS of a mapped host is terminated: requests and WebSockets go to its address', async () => {
  await restart({ url_pattern: 'shop\\.test/live', method: 'GET' });
  const tls = await tlsTo('shop.test:443', ['h2', 'http/1.1']);
  expect(
    await say(tls, 'POST /basket HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 3\r\n\r\nabc', /hello$/),
  ).toContain('X-Case: Kept');
  expect(seen[0]?.body.toString()).toBe('abc');
  expect(seen[0]?.head.headers.host).toBe('shop.test');
  const socket = await tlsTo('shop.test:443', ['http/1.1']);
  expect(await say(socket, handshake('/chat', 'shop.test'), /\r\n\r\n/)).toContain('101');
  expect(await say(socket, 'ping!', /ping!/)).toBe('ping!');
  const refused = await tlsTo('shop.test:443', ['http/1.1']);
  expect(await say(refused, handshake('/live', 'shop.test'), /\r\n\r\n/)).toBe('');
  expect(events).toMatchObject([{ type: 'blocked', reason: 'socket', url: 'wss://shop.test/live' }]);
});

test('a plain WebSocket of a mapped host goes to its address', async () => {
  const tunnel = dial();
  await say(tunnel, 'CONNECT shop.test:80 HTTP/1.1\r\n\r\n', /established\r\n\r\n$/);
  expect(await say(tunnel, handshake('/chat', 'shop.test'), /Upgrade\r\n\r\n$/)).toContain('101');
  expect(await say(tunnel, 'echo me', /echo me/)).toBe('echo me');
});

/** An HTTP/2 origin server, with or without extended CONNECT, that counts the bytes it receives. */
async function withSecureSite(
  enableConnectProtocol: boolean,
  work: (port: number, sessions: () => number) => Promise<void>,
): Promise<void> {
  const { key, cert } = await makeIdentity(['127.0.0.1']);
  const site = createSecureServer({ key, cert, allowHTTP1: true, settings: { enableConnectProtocol } });
  const sockets: Socket[] = [];
  site.on('secureConnection', (socket) => sockets.push(socket));
  site.on('sessionError', () => undefined);
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  await gateway.close();
  const real = originPort;
  originPort = port;
  await start({ url_pattern: '127\\.0\\.0\\.1:\\d+/live', method: 'GET' });
  try {
    await work(port, () => sockets.length);
  } finally {
    originPort = real;
    for (const socket of sockets) socket.destroy();
    site.close();
  }
}

test('for a GET task, TLS that can only be a WebSocket to the pattern’s host is refused before a byte of it leaves', () =>
  withSecureSite(false, async (port, sessions) => {
    const refused = await tlsTo(`127.0.0.1:${port}`, ['http/1.1']);
    expect(refused.destroyed).toBe(true);
    // The one connection is the gateway's own probe.
    expect(sessions()).toBe(1);
    expect(events).toMatchObject([{ type: 'blocked', reason: 'socket', url: `wss://127.0.0.1:${port}/` }]);
    const other = await tlsTo(`127.0.0.1:${port}`, ['h2', 'http/1.1']);
    expect(other.alpnProtocol).toBe('h2');
    await expect.poll(sessions).toBe(2);
  }));

test('where a server takes WebSockets inside HTTP/2, its TLS is terminated and the path decides', () =>
  withSecureSite(true, async (port) => {
    const socket = await tlsTo(`127.0.0.1:${port}`, ['h2', 'http/1.1']);
    expect(socket.alpnProtocol).toBe('http/1.1');
    expect(await say(socket, handshake('/live'), /\r\n\r\n/)).toBe('');
    expect(events).toMatchObject([{ type: 'blocked', reason: 'socket', url: `wss://127.0.0.1:${port}/live` }]);
    // This server's certificate cannot be verified, and the host is not mapped: the request is not sent.
    const unproven = await tlsTo(`127.0.0.1:${port}`, ['h2', 'http/1.1']);
    expect(await say(unproven, `GET /basket HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`, /never/)).toBe('');
  }));

test('bytes are counted by host', async () => {
  await say(dial(), get(url('/x')), /hello$/);
  const { bytesOut, bytesIn, hosts } = traffic.totals();
  expect(bytesOut).toBeGreaterThan(50);
  expect(bytesIn).toBeGreaterThan(50);
  expect(hosts['127.0.0.1']).toBe(bytesOut + bytesIn);
});

test('a response that breaks off is not completed', async () => {
  const broken = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'));
  });
  broken.listen(0, '127.0.0.1');
  await once(broken, 'listening');
  await gateway.close();
  const real = originPort;
  originPort = (broken.address() as AddressInfo).port;
  await start({ url_pattern: '/pay', method: 'POST' });
  const socket = dial();
  const response = await say(socket, get(url('/x')), /never/);
  expect(response).toMatch(/part$/);
  expect(socket.destroyed).toBe(true);
  originPort = real;
  broken.close();
});

test('a request that is not a proxy request gets a 400', async () => {
  expect(await say(dial(), 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n', /\.\n$/)).toMatch(/^HTTP\/1\.1 400/);
});
