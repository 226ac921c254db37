/**
 * Commands over the pipe. Every one has a time limit, and all pending ones reject at once when the pipe closes: a
 * promise that never settles is how an interceptor hangs while the browser goes on.
 */
export class CommandError extends Error {
  readonly kind: 'refused' | 'timeout' | 'closed';
  readonly method: string;
  constructor(kind: 'refused' | 'timeout' | 'closed', method: string, detail: string) {
    super(`${method}: ${detail}`);
    this.name = 'CommandError';
    this.kind = kind;
    this.method = method;
  }
}

export interface CommandOptions {
  readonly sessionId?: string;
  /** Milliseconds; default 5,000. */
  readonly timeoutMs?: number;
}

export interface Commands {
  /** @throws CommandError */
  send(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    options?: CommandOptions,
  ): Promise<Record<string, unknown>>;
  /** Takes a message with an `id`; one that nobody waits for is ignored. */
  settle(message: Readonly<Record<string, unknown>>): void;
  /** Rejects everything pending and everything sent from now on. */
  close(why: string): void;
}

interface Pending {
  readonly method: string;
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: CommandError) => void;
  readonly timer: NodeJS.Timeout;
}

/** Two browsers starting at load 19 answered after more than 5 s; a dead pipe rejects at once and needs no limit. */
const DEFAULT_TIMEOUT_MS = 30_000;

export function createCommands(write: (text: string) => void): Commands {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let closed: string | null = null;

  const take = (id: number): Pending | undefined => {
    const entry = pending.get(id);
    if (entry !== undefined) clearTimeout(entry.timer);
    pending.delete(id);
    return entry;
  };

  return {
    send: (method, params = {}, options = {}) => {
      if (closed !== null) return Promise.reject(new CommandError('closed', method, closed));
      const id = nextId++;
      const limit = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => take(id)?.reject(new CommandError('timeout', method, `no reply within ${limit} ms`)),
          limit,
        );
        timer.unref();
        pending.set(id, { method, resolve, reject, timer });
        const session = options.sessionId === undefined ? {} : { sessionId: options.sessionId };
        write(JSON.stringify({ id, method, params, ...session }));
      });
    },
    settle: (message) => {
      const entry = take(message['id'] as number);
      if (entry === undefined) return;
      const error = message['error'] as { message?: string } | undefined;
      if (error === undefined) entry.resolve((message['result'] ?? {}) as Record<string, unknown>);
      else entry.reject(new CommandError('refused', entry.method, error.message ?? 'refused'));
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
