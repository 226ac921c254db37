import WebSocket from 'ws';
import { once } from 'node:events';

/** A minimal DevTools client, so that a test sees what is on the wire and nothing that a library adds. */
export interface CdpClient {
  /** The reply as it came: `result` or `error`. */
  call(method: string, params?: Record<string, unknown>, sessionId?: string): Promise<Reply>;
  readonly socket: WebSocket;
  close(): void;
}

export interface Reply {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export async function connectCdp(
  url: string,
  headers: Record<string, string> = { host: 'localhost' },
): Promise<CdpClient> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, maxPayload: 1 << 28 });
  const pending = new Map<number, (reply: Reply) => void>();
  let nextId = 1;
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString('utf8')) as Reply & { id?: number };
    if (message.id === undefined) return;
    pending.get(message.id)?.(message);
    pending.delete(message.id);
  });
  socket.on('close', () => {
    for (const settle of pending.values()) settle({ error: { code: 0, message: 'closed' } });
    pending.clear();
  });
  await once(socket, 'open');
  return {
    socket,
    call: (method, params = {}, sessionId) =>
      new Promise((resolve) => {
        const id = nextId++;
        pending.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
      }),
    close: () => socket.close(),
  };
}

export interface Page {
  readonly targetId: string;
  readonly sessionId: string;
  /** Evaluates an expression with user activation; awaits promises. */
  evaluate(expression: string): Promise<unknown>;
  navigate(url: string): Promise<Reply>;
}

export async function openPage(cdp: CdpClient, url: string, browserContextId?: string): Promise<Page> {
  const created = await cdp.call('Target.createTarget', {
    url,
    ...(browserContextId === undefined ? {} : { browserContextId }),
  });
  const targetId = String(created.result?.['targetId']);
  const attached = await cdp.call('Target.attachToTarget', { targetId, flatten: true });
  const sessionId = String(attached.result?.['sessionId']);
  const evaluate = async (expression: string): Promise<unknown> => {
    const reply = await cdp.call(
      'Runtime.evaluate',
      { expression, awaitPromise: true, userGesture: true, returnByValue: true },
      sessionId,
    );
    return (
      (reply.result?.['result'] as { value?: unknown } | undefined)?.value ??
      reply.result?.['exceptionDetails'] ??
      reply.error
    );
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const state = await evaluate('document.readyState + " " + location.href');
    if (state === `complete ${url}`) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { targetId, sessionId, evaluate, navigate: (to) => cdp.call('Page.navigate', { url: to }, sessionId) };
}
