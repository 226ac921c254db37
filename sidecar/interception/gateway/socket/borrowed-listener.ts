import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Server, type Socket } from 'node:net';

/** Where the browser's side and we meet. */
export interface LenderPaths {
  /** `clawbench-listener` (images/listener): Node itself cannot take an open file from a stranger's socket. */
  readonly program: string;
  /** The socket at which it waits for the lender. */
  readonly socket: string;
}

/** One listener, of another network namespace. */
export interface BorrowedListener {
  close(): Promise<void>;
}

export interface BorrowOptions extends LenderPaths {
  /** Takes a connection of the browser. */
  readonly serve: (client: Socket) => void;
  /** The program ended before anybody had lent: no browser will find its proxy. */
  readonly lost: (message: string) => void;
}

/**
 * Takes the listener at which Chromium finds its proxy, as soon as the browser's side brings it: once.
 * @returns when it can be brought. @throws when the program does not start.
 */
export async function borrowListener({ program, socket, serve, lost }: BorrowOptions): Promise<BorrowedListener> {
  await rm(socket, { force: true });
  const child = spawn(program, ['borrow', socket], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: {} });
  let server: Server | null = null;
  let closed = false;
  const ready = Promise.withResolvers<void>();
  child.on('message', (message: { readonly type?: unknown }, handle) => {
    if (message.type === 'ready') ready.resolve();
    if (!(handle instanceof Server)) return;
    server = handle.on('connection', (client: Socket) => {
      if (closed) client.destroy();
      else serve(client);
    });
    // It was on its way while we closed.
    if (closed) server.close();
  });
  child.once('error', ready.reject);
  // Behind the last message, unlike `exit`.
  child.once('close', (code, signal) => {
    const message = `${program} ended with ${String(code ?? signal)} before a listener came`;
    ready.reject(new Error(message));
    if (server === null && !closed) lost(message);
  });
  await ready.promise;
  return {
    close: async () => {
      closed = true;
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
      await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
    },
  };
}
