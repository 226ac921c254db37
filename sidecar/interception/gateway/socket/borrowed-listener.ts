import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Server, type Socket } from 'node:net';

/** The program that receives the listener, and its socket. */
export interface LenderPaths {
  /** `clawbench-listener` (images/listener): Node itself cannot receive an open file over a socket of another program. */
  readonly program: string;
  /** The socket on which it waits for the lender. */
  readonly socket: string;
}

/** A listener that belongs to another network namespace. */
export interface BorrowedListener {
  close(): Promise<void>;
}

export interface BorrowOptions extends LenderPaths {
  /** Called for each connection of the browser. */
  readonly serve: (client: Socket) => void;
  /** Called when the program ended before a listener was lent: no browser can reach its proxy. */
  readonly lost: (message: string) => void;
}

/**
 * Receives the listener at which Chromium finds its proxy when the browser's side lends it, once.
 * @returns when it can be lent. @throws when the program does not start.
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
    // It arrived while we were closing.
    if (closed) server.close();
  });
  child.once('error', ready.reject);
  // After the last message, unlike `exit`.
  child.once('close', (code, signal) => {
    const message = `${program} ended with ${String(code ?? signal)} before a listener was lent`;
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
