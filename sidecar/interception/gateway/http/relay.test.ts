import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InterceptionEvent } from '../../../contracts.ts';
import type { Origin } from '../policy/egress-policy.ts';
import { relayRequests } from './relay.ts';
import { forwardWebSocketHandshake } from '../tunnel/websocket-handshake.ts';
import { armedContext } from '../context.fixture.ts';
import { createTraffic } from '../traffic.ts';

/** What leaves a relay, byte for byte, to an origin server with scripted responses. */
interface Site {
  readonly server: Server;
  readonly host: string;
  /** All bytes received, over all connections. */
  received: string;
  connections: number;
  /** The response to what has arrived since the last response; '' sends none. */
  reply: (asked: string) => string;
}

const SOCKET = 'GET /x HTTP/1.1\r\nHost: shop.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
let site: Site;
let other: Site;
let proxy: Server;
let events: InterceptionEvent[];
let traffic: ReturnType<typeof createTraffic>;
let tunnel: Origin | null;

beforeEach(async () => {
  [site, other] = [await startSite(), await startSite()];
  events = [];
  traffic = createTraffic();
  tunnel = null;
  const context = armedContext(
    { url_pattern: '/pay', method: 'POST' },
    { allow: [site.host, other.host], map: [{ host: 'shop.test', address: site.host }] },
    { traffic, emit: (event) => events.push(event) },
  );
  proxy = createServer((client) => {
    traffic.inbound(client);
    relayRequests(context, client, {
      tunnel,
      connect: (authority) => client.end(`tunnel to ${authority}`),
      upgrade: (plain, head) => forwardWebSocketHandshake(context, plain, head, client),
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});

afterEach(() => {
  traffic.destroyAll();
  for (const { server } of [site, other]) server.close();
  proxy.close();
});

async function startSite(): Promise<Site> {
  const server = createServer((socket) => {
    made.connections += 1;
    let asked = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      made.received += chunk.toString('latin1');
      asked += chunk.toString('latin1');
      const answer = made.reply(asked);
      if (answer === '') return;
      asked = '';
      socket.write(answer, 'latin1');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: Site = { server, host, received: '', connections: 0, reply: (asked) => (ended(asked) ? OK : '') };
  return made;
}

/** Whether the header section and the whole body have arrived. */
function ended(asked: string): boolean {
  const end = asked.indexOf('\r\n\r\n');
  if (/transfer-encoding/i.test(asked)) return asked.endsWith('0\r\n\r\n');
  return end !== -1 && asked.length >= end + 4 + Number(/content-length: *(\d+)/i.exec(asked)?.[1] ?? 0);
}

function dial(): Socket {
  return connect((proxy.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
}

/** Sends text. @returns what comes back until it ends with `until`, or until the connection closes. */
async function say(socket: Socket, text: string, until: string): Promise<string> {
  let received = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (received.endsWith(until)) resolve();
    });
    socket.once('close', () => resolve());
  });
  socket.write(text, 'latin1');
  await done;
  socket.removeAllListeners('data');
  return received;
}

const post = (path: string, body: string, more = '', host = site.host): string =>
  `POST http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
/** The same as the origin server must see it. */
const asSeen = (request: string): string => request.replace(/ http:\/\/[^/]+/, ' ');
const smuggled = (): string => post('/pay', 'op=buy');

test.each([
  ['in one piece', Infinity],
  ['byte by byte', 1],
  ['in pieces of 50', 50],
])('a near miss arrives byte for byte, %s', async (_name, size) => {
  const body = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
  const request = post('/%70ai?p=%2Fpay', body, 'sec-CH-ua: "x"\r\nX-ODD:1\r\nx-odd:  \xff \r\n');
  const socket = dial().setNoDelay();
  const answer = say(socket, '', OK);
  for (let at = 0; at < request.length; at += size) {
    socket.write(request.slice(at, at + size), 'latin1');
    if (size === 1 && at < 80) await sleep(1);
  }
  expect(await answer).toBe(OK);
  expect(site.received).toBe(asSeen(request));
});

test.each([8_191, 8_192, 8_193, 8_194, 8_195, 8_196, 8_197, 20_000, 70_000])(
  'a head of %i bytes ends where it ends, with an empty line in the body behind it',
  async (size) => {
    const body = '\r\n\r\nGET /';
    const bare = post('/x', body, 'X-Long: \r\n');
    const request = post('/x', body, `X-Long: ${'x'.repeat(size - bare.length + body.length)}\r\n`);
    expect(request.length - body.length).toBe(size);
    expect(await say(dial(), request, OK)).toBe(OK);
    expect(site.received).toBe(asSeen(request));
  },
);

test('a chunked body arrives byte for byte', async () => {
  const body = '5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n';
  const request = post('/x', '', 'Transfer-Encoding: chunked\r\n').replace('Content-Length: 0\r\n', '') + body;
  expect(await say(dial(), request, OK)).toBe(OK);
  expect(site.received).toBe(asSeen(request));
});

test('a request that looks like the target inside a body is only a body', async () => {
  const socket = dial();
  expect(await say(socket, post('/x', smuggled()), OK)).toBe(OK);
  expect(await say(socket, post('/y', ''), OK)).toBe(OK);
  expect(site.connections).toBe(1);
  expect(events).toEqual([]);
});

test('the target does not leave, alone or after other requests', async () => {
  const socket = dial();
  await say(socket, post('/x', 'a'), OK);
  expect(await say(socket, smuggled(), '.\n')).toMatch(/^HTTP\/1\.1 403/);
  expect(site.received).not.toContain('/pay');
  expect(events).toMatchObject([{ type: 'escape', url: `http://${site.host}/pay` }]);
});

test.each<[string, (pay: string) => string]>([
  ['pipelined', (pay) => post('/x', 'a') + pay],
  ['after two lengths', (pay) => post('/x', '', 'Content-Length: 400\r\n') + pay],
  ['after a length and chunks', (pay) => post('/x', '0\r\n\r\n', 'Transfer-Encoding: chunked\r\n') + pay],
  ['after chunks under another spelling', (pay) => post('/x', `0\r\n\r\n${pay}`, 'Transfer_Encoding: chunked\r\n')],
  ['after a GET with a body', (pay) => post('/x', pay).replace('POST', 'GET')],
  ['after a lone line feed', (pay) => `POST http://${site.host}/x HTTP/1.1\r\nHost: ${site.host}\r\nA: b\n\n${pay}`],
  ['after a folded line', (pay) => post('/x', pay, 'A: b\r\n Content-Length: 0\r\n')],
  ['for another host', (pay) => pay.replace('/pay', '/x').replace(/Host: \S+/, 'Host: shop.test')],
  ['after an upgrade', (pay) => post('/x', '', 'Upgrade: h2c\r\n') + pay],
  [
    'behind an extension',
    (pay) =>
      post('/x', '', 'Transfer-Encoding: chunked\r\n').replace('Content-Length: 0\r\n', '') +
      `2;\n\r\nab\r\n0\r\n\r\n${pay}`,
  ],
])('a target %s never reaches the origin server', async (_name, make) => {
  const pay = smuggled();
  site.reply = () => '';
  const socket = dial();
  await say(socket, make(pay), 'never');
  expect(socket.destroyed).toBe(true);
  expect(site.received).not.toContain('op=buy');
});

test('a broken chunk ends the request and the connection', async () => {
  site.reply = () => '';
  const head = post('/x', '', 'Transfer-Encoding: chunked\r\n').replace('Content-Length: 0\r\n', '');
  const socket = dial();
  socket.write(`${head}5\r\nhello\r\n`);
  await expect.poll(() => site.received).toContain('hello');
  await say(socket, `0\r\nX: y\r\n\r\n${smuggled()}`, 'never');
  expect(site.received).not.toContain('op=buy');
  await expect.poll(() => traffic.totals().bytesOut).toBe(site.received.length);
});

test.each([
  ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['that is not modified', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n'],
  ['to a HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'],
  ['after an interim one', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`],
  [
    'in chunks, with extension and trailer',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a\r\nx\r\n0\r\nT: 1\r\n\r\n',
  ],
  ['with headers that only browsers accept', 'HTTP/1.1 200 \r\nBad Header: \x01\r\nX\n\n'],
])('a response %s arrives byte for byte, and the connection is reused', async (_name, answer) => {
  site.reply = () => answer;
  const socket = dial();
  expect(await say(socket, post('/x', ''), answer)).toBe(answer);
  site.reply = () => OK;
  expect(await say(socket, post('/y', ''), OK)).toBe(OK);
  expect(site.connections).toBe(1);
});

test('an interim response arrives before the body is sent', async () => {
  const head = post('/x', '', 'Expect: 100-continue\r\n').replace('Content-Length: 0', 'Content-Length: 3');
  site.reply = (asked) => (asked === 'abc' ? OK : 'HTTP/1.1 100 Continue\r\n\r\n');
  const socket = dial();
  expect(await say(socket, head, '\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  expect(await say(socket, 'abc', OK)).toBe(OK);
});

test('a response before the end of the request arrives, and the rest belongs to the same request', async () => {
  const request = post('/x', `a${smuggled()}`);
  const cut = request.indexOf('\r\n\r\n') + 5;
  site.reply = (asked) => (asked.startsWith('POST /x') ? OK : '');
  const socket = dial();
  expect(await say(socket, request.slice(0, cut), OK)).toBe(OK);
  socket.write(request.slice(cut));
  await expect.poll(() => site.received).toBe(asSeen(request));
  expect(events).toEqual([]);
});

test('an origin server that switches protocols unasked gains nothing', async () => {
  const switched = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
  site.reply = () => switched;
  const socket = dial();
  await say(socket, post('/x', ''), switched);
  await say(socket, 'op=buy\r\n\r\n', 'never');
  expect(site.received).not.toContain('op=buy');
});

test('a WebSocket passes after a 101; otherwise nothing more from the client passes', async () => {
  tunnel = { scheme: 'http', host: 'shop.test', port: 80 };
  const switched = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
  site.reply = (asked) => (asked.startsWith('GET') ? switched : `echo ${asked}`);
  const open = dial();
  expect(await say(open, SOCKET, switched)).toBe(switched);
  expect(site.received).toBe(SOCKET);
  expect(await say(open, 'frame', 'echo frame')).toBe('echo frame');
  open.destroy();
  site.reply = () => OK;
  const refused = dial();
  expect(await say(refused, SOCKET, OK)).toBe(OK);
  refused.write(asSeen(smuggled()));
  await expect.poll(() => refused.destroyed).toBe(true);
  expect(site.received).not.toContain('op=buy');
});

test('a response that asks for the proxy’s password does not reach the browser', async () => {
  site.reply = () => 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\n\r\n';
  expect(await say(dial(), post('/x', ''), 'never')).toBe('');
});

test('nor does one after an interim response, or in two pieces', async () => {
  const asks = 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\n\r\n';
  site.reply = () => `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${asks}`;
  expect(await say(dial(), post('/x', ''), 'never')).not.toContain('407');
  site.reply = () => '';
  const pieces = [asks.slice(0, 10), asks.slice(10)];
  site.server.once('connection', (socket) => {
    socket.setNoDelay().write(pieces[0] ?? '');
    setTimeout(() => socket.write(pieces[1] ?? ''), 50);
  });
  expect(await say(dial(), post('/x', ''), 'never')).not.toContain('407');
});

test('each request goes to its own origin, over one connection of the browser', async () => {
  const socket = dial();
  await say(socket, post('/x', ''), OK);
  await say(socket, post('/y', '', '', other.host), OK);
  await say(socket, post('/z', ''), OK);
  expect(site.received).toMatch(/^POST \/x [^]*POST \/z /);
  expect(other.received).toMatch(/^POST \/y /);
});

test('an endless header section is refused', async () => {
  expect(await say(dial(), `${post('/x', '').slice(0, -2)}A: ${'a'.repeat(300_000)}`, '.\n')).toMatch(
    /^HTTP\/1\.1 431/,
  );
  expect(site.connections).toBe(0);
});

test('a CONNECT is handed over', async () => {
  expect(await say(dial(), 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n', 'never')).toBe(
    'tunnel to a.test:443',
  );
});

test('megabytes in both directions arrive whole, however slowly they are read', async () => {
  const body = Array.from({ length: 400_000 }, (_, index) => String(index)).join();
  const large = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  site.reply = (asked) => (ended(asked) ? large : '');
  const socket = dial();
  const slow = setInterval(() => {
    socket.pause();
    setTimeout(() => socket.resume(), 5);
  }, 10);
  const answer = await say(socket, post('/x', body), large.slice(-20));
  clearInterval(slow);
  expect(answer === large).toBe(true);
  expect(site.received === asSeen(post('/x', body))).toBe(true);
});

test('a response that the origin ends arrives whole; when the browser leaves, the origin connection closes', async () => {
  const whole = `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_000_000)}`;
  site.server.once('connection', (socket) => socket.once('data', () => socket.end(whole)));
  site.reply = () => '';
  expect((await say(dial(), post('/x', ''), 'never')).length).toBe(whole.length);
  const left = dial();
  left.write(post('/y', ''));
  const [upstream] = (await once(site.server, 'connection')) as [Socket];
  const closed = once(upstream, 'close');
  left.destroy();
  await closed;
});

test.each([
  ['a response without a length', (): string => post('/x', ''), 'HTTP/1.1 200 OK\r\n\r\nhalf of it'],
  ['a WebSocket', () => SOCKET, 'HTTP/1.1 101 Switching Protocols\r\n\r\nhalf a frame'],
])('%s that breaks off is reset at the browser', async (_what, asked, answered) => {
  tunnel = asked() === SOCKET ? { scheme: 'http', host: 'shop.test', port: 80 } : null;
  site.server.once('connection', (socket) =>
    socket.once('data', () => socket.write(answered, () => setTimeout(() => socket.resetAndDestroy(), 50))),
  );
  site.reply = () => '';
  const client = dial();
  const broken = once(client, 'error');
  expect(await say(client, asked(), answered)).toBe(answered);
  expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
});
