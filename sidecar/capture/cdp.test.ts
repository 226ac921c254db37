import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { type DevToolsConnection, CdpError, connectToBrowser } from './cdp.ts';

/** A browser that answers `Good.*`, refuses `Bad.*` and is silent to all else. */
const servers: WebSocketServer[] = [];
async function aBrowser(): Promise<{ endpoint: string; drop: () => void }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const { id, method, sessionId } = JSON.parse(data.toString()) as {
        id: number;
        method: string;
        sessionId?: string;
      };
      if (method.startsWith('Good.'))
        socket.send(JSON.stringify({ id, sessionId, result: { to: sessionId ?? 'browser' } }));
      if (method.startsWith('Bad.')) socket.send(JSON.stringify({ id, sessionId, error: { code: -1, message: 'no' } }));
    });
  });
  const { port } = server.address() as AddressInfo;
  const drop = (): void => {
    for (const client of server.clients) client.terminate();
  };
  return { endpoint: `ws://127.0.0.1:${String(port)}/devtools/browser/x`, drop };
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

describe('a DevTools connection', () => {
  let lost = 0;
  const connect = async (endpoint: string): Promise<DevToolsConnection> => {
    lost = 0;
    return connectToBrowser({ endpoint, onEvent: () => undefined, onLost: () => void (lost += 1) });
  };

  test('answers of the browser and of a session reach their caller, and errors name the method', async () => {
    const cdp = await connect((await aBrowser()).endpoint);
    expect(await cdp.send('Good.one')).toEqual({ to: 'browser' });
    expect(await cdp.send('Good.one', {}, { session: 'S' })).toEqual({ to: 'S' });
    await expect(cdp.send('Bad.one')).rejects.toThrow(/^Bad\.one: .*no/);
    await cdp.close();
    expect(lost).toBe(0);
  });

  test('a call without an answer ends at its time limit', async () => {
    const cdp = await connect((await aBrowser()).endpoint);
    await expect(cdp.send('Silent.one', {}, { timeoutMs: 50 })).rejects.toThrow('no answer within 50 ms');
    await cdp.close();
  });

  test('a dead socket ends all pending calls at once, is reported once, and refuses further calls', async () => {
    const { endpoint, drop } = await aBrowser();
    const cdp = await connect(endpoint);
    const pending = [1, 2, 3].map(() => cdp.send('Silent.one').catch((error: unknown) => error));
    drop();
    for (const error of await Promise.all(pending)) expect(error).toBeInstanceOf(CdpError);
    await expect(cdp.send('Good.one')).rejects.toThrow('has ended');
    expect(lost).toBe(1);
  });

  test('an endpoint where nothing listens is an error, not a wait', async () => {
    await expect(connect('ws+unix:///nowhere/cdp.sock:/devtools/browser/x')).rejects.toThrow();
  });
});
