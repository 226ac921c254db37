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
  /**
   * The same for what is sent by the thousand and has an empty result: no promise and no timer of its own. `done` is
   * called once, with null when the browser has done it. A missing reply is noticed within {@link SWEEP_MS} of its limit.
   */
  order(method: string, params: Readonly<Record<string, string>>, done: (error: CommandError | null) => void): void;
  /** The reply to this command is an empty result. */
  acknowledged(id: number): void;
  /** Takes a message with an `id`; one that nobody waits for is ignored. */
  settle(message: Readonly<Record<string, unknown>>): void;
  /** Rejects everything pending and everything sent from now on. */
  close(why: string): void;
}

interface Pending {
  readonly method: string;
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: CommandError) => void;
  /** None for an order, whose limit is seen to by the sweep. */
  readonly timer: NodeJS.Timeout | null;
  readonly at: number;
}

/** Two browsers starting at load 19 answered after more than 5 s; a dead pipe rejects at once and needs no limit. */
const DEFAULT_TIMEOUT_MS = 30_000;
const SWEEP_MS = 5_000;
const EMPTY: Readonly<Record<string, unknown>> = {};

export function createCommands(write: (text: string) => void): Commands {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let closed: string | null = null;

  const take = (id: number): Pending | undefined => {
    const entry = pending.get(id);
    if (entry === undefined) return undefined;
    if (entry.timer !== null) clearTimeout(entry.timer);
    pending.delete(id);
    return entry;
  };
  const late = (id: number, limit: number): void => {
    const entry = take(id);
    entry?.reject(new CommandError('timeout', entry.method, `no reply within ${limit} ms`));
  };
  const sweep = (): void => {
    for (const [id, { timer, at }] of pending)
      if (timer === null && Date.now() - at >= DEFAULT_TIMEOUT_MS) late(id, DEFAULT_TIMEOUT_MS);
  };
  let sweeper: NodeJS.Timeout | undefined;

  return {
    send: (method, params = {}, options = {}) => {
      if (closed !== null) return Promise.reject(new CommandError('closed', method, closed));
      const id = nextId++;
      const limit = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(late, limit, id, limit).unref();
        pending.set(id, { method, resolve, reject, timer, at: 0 });
        const session = options.sessionId === undefined ? {} : { sessionId: options.sessionId };
        write(JSON.stringify({ id, method, params, ...session }));
      });
    },
    order: (method, params, done) => {
      if (closed !== null) return done(new CommandError('closed', method, closed));
      const id = nextId++;
      sweeper ??= setInterval(sweep, SWEEP_MS).unref();
      pending.set(id, { method, resolve: () => done(null), reject: done, timer: null, at: Date.now() });
      write(`{"id":${id},"method":"${method}","params":${JSON.stringify(params)}}`);
    },
    acknowledged: (id) => take(id)?.resolve(EMPTY),
    settle: (message) => {
      const entry = take(message['id'] as number);
      if (entry === undefined) return;
      const error = message['error'] as { message?: string } | undefined;
      if (error === undefined) entry.resolve((message['result'] ?? {}) as Record<string, unknown>);
      else entry.reject(new CommandError('refused', entry.method, error.message ?? 'refused'));
    },
    close: (why) => {
      closed ??= why;
      clearInterval(sweeper);
      for (const id of [...pending.keys()]) {
        const entry = take(id);
        entry?.reject(new CommandError('closed', entry.method, why));
      }
    },
  };
}
