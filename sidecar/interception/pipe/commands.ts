import { CommandError, DEFAULT_TIMEOUT_MS, refusalOf } from './command-error.ts';

/**
 * Commands over the browser's pipe. Each has a timeout, and all pending ones reject at once when the pipe closes: with a
 * promise that never settles, an interceptor hangs while the browser continues.
 */
export interface BrowserCommands {
  /** @throws CommandError */
  send(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    options?: BrowserCommandOptions,
  ): Promise<Record<string, unknown>>;
  /** Takes a reply; an unexpected one is ignored. */
  settle(reply: Readonly<Record<string, unknown>>): void;
  /** Rejects everything pending and everything sent from now on. */
  close(why: string): void;
}

export interface BrowserCommandOptions {
  readonly sessionId?: string;
  /** Milliseconds; default 30,000. */
  readonly timeoutMs?: number;
}

interface Pending {
  readonly method: string;
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: CommandError) => void;
  readonly timer: NodeJS.Timeout;
}

/** Ids count from 1, below those of `fire-and-forget-commands.ts`. */
export function createBrowserCommands(write: (text: string) => void): BrowserCommands {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let closed: string | null = null;

  const take = (id: number): Pending | undefined => {
    const entry = pending.get(id);
    clearTimeout(entry?.timer);
    pending.delete(id);
    return entry;
  };
  const late = (id: number, limit: number): void => {
    const entry = take(id);
    entry?.reject(new CommandError('timeout', entry.method, `no reply within ${limit} ms`));
  };

  return {
    send: (method, params = {}, options = {}) => {
      if (closed !== null) return Promise.reject(new CommandError('closed', method, closed));
      const id = nextId++;
      const limit = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(late, limit, id, limit).unref();
        pending.set(id, { method, resolve, reject, timer });
        const session = options.sessionId === undefined ? {} : { sessionId: options.sessionId };
        write(JSON.stringify({ id, method, params, ...session }));
      });
    },
    settle: (reply) => {
      const entry = take(reply['id'] as number);
      if (entry === undefined) return;
      const refusal = refusalOf(reply);
      if (refusal === null) entry.resolve((reply['result'] ?? {}) as Record<string, unknown>);
      else entry.reject(new CommandError('refused', entry.method, refusal));
    },
    close: (why) => {
      closed ??= why;
      for (const id of [...pending.keys()]) {
        const entry = take(id);
        entry?.reject(new CommandError('closed', entry.method, why));
      }
    },
  };
}
