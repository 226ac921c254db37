import type { Server, Socket } from 'node:net';
import { createCommands, type Commands } from './pipe/commands.ts';
import { listenPipe } from './pipe/listen.ts';
import { createMessageReader, type MessageSink } from './pipe/message-reader.ts';
import { createLatch } from './waiting.ts';

/** The pipe to the browser, from listening to its end. */
export interface BrowserPipe {
  readonly commands: Commands;
  /** The browser has connected. */
  readonly connected: Promise<void>;
  /** Asks the browser to close and waits for its end, for so many milliseconds at most. At once when there is none. */
  closeBrowser(limitMs: number): Promise<void>;
  /** Takes one browser. */
  listen(path: string, events: PipeEvents): Promise<void>;
  destroy(): void;
  close(): Promise<void>;
}

export interface PipeEvents extends Omit<MessageSink, 'acknowledged'> {
  /** Any bytes came. */
  heard(): void;
  ended(): void;
  /** A second browser connected. */
  again(): void;
  /** What came is not what Chromium writes. */
  broken(error: Error): void;
}

/** Not listening yet: who answers the browser is made first, from `commands`. */
export function createBrowserPipe(): BrowserPipe {
  let socket: Socket | null = null;
  let listener: Server | null = null;
  const connected = createLatch<void>();
  const ended = createLatch<void>();
  const commands = createCommands((text) => socket?.write(`${text}\0`));

  const serve = (accepted: Socket, events: PipeEvents): void => {
    socket = accepted;
    const read = createMessageReader({
      message: (message) => (message['id'] === undefined ? events.message(message) : commands.settle(message)),
      acknowledged: (id) => commands.acknowledged(id),
      pausedHead: (head) => events.pausedHead(head),
      pausedRest: (head, rest) => events.pausedRest(head, rest),
    });
    accepted.on('data', (chunk: Buffer) => {
      events.heard();
      try {
        read(chunk);
      } catch (error) {
        events.broken(error instanceof Error ? error : new Error(String(error)));
        accepted.destroy();
      }
    });
    accepted.on('error', () => accepted.destroy());
    accepted.once('close', () => {
      commands.close('the browser is gone');
      ended.set();
      events.ended();
    });
    connected.set();
  };

  return {
    commands,
    connected: connected.promise,
    closeBrowser: async (limitMs) => {
      if (socket === null || socket.destroyed) return;
      const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
      await commands.send('Browser.close', {}, { timeoutMs: limitMs }).catch(() => undefined);
      await Promise.race([ended.promise, late]);
    },
    listen: async (path, events) => {
      listener = await listenPipe(path, {
        connected: (accepted) => serve(accepted, events),
        again: () => events.again(),
      });
    },
    destroy: () => socket?.destroy(),
    close: async () => {
      socket?.destroy();
      await new Promise<void>((resolve) => (listener === null ? resolve() : listener.close(() => resolve())));
    },
  };
}
