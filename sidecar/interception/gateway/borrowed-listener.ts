import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Server, Socket } from 'node:net';

/** Where the browser's side and we meet. */
export interface LenderPlaces {
  /** `clawbench-listener` (images/listener): Node itself cannot take an open file from a stranger's socket. */
  readonly program: string;
  /** The socket at which it waits for the lender. */
  readonly socket: string;
}

/** One listener, of another network namespace. */
export interface BorrowedListener {
  close(): Promise<void>;
}

/**
 * Takes the listener at which Chromium finds its proxy, as soon as the browser's side brings it: once.
 * @returns when it can be brought. @throws when the program does not start.
 */
export async function borrowListener(
  { program, socket }: LenderPlaces,
  serve: (client: Socket) => void,
): Promise<BorrowedListener> {
  await rm(socket, { force: true });
  const child = spawn(program, ['borrow', socket], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: {} });
  let server: Server | null = null;
  const ready = Promise.withResolvers<void>();
  child.on('message', (message: { readonly type?: unknown }, handle) => {
    if (message.type === 'ready') ready.resolve();
    if (message.type !== 'listener') return;
    server = handle as Server;
    server.on('connection', serve);
  });
  child.once('error', ready.reject);
  child.once('exit', (code, signal) => {
    ready.reject(new Error(`${program} ended with ${String(code ?? signal)} before it listened`));
  });
  await ready.promise;
  return {
    close: async () => {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
      await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
    },
  };
}
