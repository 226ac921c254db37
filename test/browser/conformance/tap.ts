import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';

/**
 * A tapped DevTools connection: records what the recorder's capture sends, and which sessions the browser gives it. Capture
 * itself is the shipped one, unchanged.
 */
export interface Tap {
  /** The address to use instead of the browser's own. */
  readonly endpoint: string;
  readonly sent: readonly Command[];
  readonly attached: readonly Attached[];
  /** Simulates that the browser attached a target of a type that this browser does not have. @returns its session. */
  attach(type: string): string;
  close(): Promise<void>;
}

export interface Command {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Absent for commands to the browser itself. */
  readonly sessionId?: string;
}

export interface Attached {
  readonly session: string;
  readonly type: string;
  readonly targetId: string;
  readonly url: string;
}

export interface TapOptions {
  /** The browser also attaches targets of this type, whatever capture asked for. */
  readonly also?: string;
}

/** @param browser `ws+unix:` address of the browser's DevTools. */
export async function startTap(browser: string, { also }: TapOptions = {}): Promise<Tap> {
  const sent: Command[] = [];
  const attached: Attached[] = [];
  const sockets: WebSocket[] = [];
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  let sendToCapture = (_message: string): void => undefined;
  server.on('connection', (near) => {
    const far = new WebSocket(browser, {
      headers: { host: 'localhost' },
      perMessageDeflate: false,
      maxPayload: 1 << 28,
    });
    const open = once(far, 'open');
    // A browser that exited fails the case that waits for it, not the whole file.
    open.catch(() => undefined);
    far.on('error', () => near.terminate());
    sockets.push(near, far);
    sendToCapture = (message) => near.send(message);
    near.on('message', (data) => {
      const command = JSON.parse(textOf(data)) as Command;
      sent.push(command);
      const passed = also === undefined ? command : widened(command, also);
      open.then(() => far.send(JSON.stringify(passed))).catch(() => undefined);
    });
    far.on('message', (data) => {
      const text = textOf(data);
      note(text, attached);
      near.send(text);
    });
    near.on('close', () => far.close());
    far.on('close', () => near.close());
  });
  return {
    endpoint: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    attached,
    attach: (type) => {
      const session = `made-up-${type}`;
      const targetInfo = { targetId: `target-${type}`, type, url: '', title: '', attached: true };
      const params = { sessionId: session, targetInfo, waitingForDebugger: true };
      sendToCapture(JSON.stringify({ method: 'Target.attachedToTarget', params }));
      return session;
    },
    close: async () => {
      for (const socket of sockets) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Chromium attaches a page directly or below its tab, and refuses a request for both. */
function widened(command: Command, type: string): Command {
  if (command.method !== 'Target.setAutoAttach') return command;
  const asked = (command.params['filter'] as { type?: string }[]).filter(
    (one) => type !== 'tab' || one.type !== 'page',
  );
  return { ...command, params: { ...command.params, filter: [{ type }, ...asked] } };
}

function textOf(data: WebSocket.RawData): string {
  return (data as Buffer).toString('utf8');
}

function note(text: string, attached: Attached[]): void {
  if (!text.includes('"Target.attachedToTarget"')) return;
  const message = JSON.parse(text) as {
    method?: string;
    params: { sessionId: string; targetInfo: { type: string; targetId: string; url: string } };
  };
  if (message.method !== 'Target.attachedToTarget') return;
  const { type, targetId, url } = message.params.targetInfo;
  attached.push({ session: message.params.sessionId, type, targetId, url });
}
