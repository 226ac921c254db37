import { CommandError, DEFAULT_TIMEOUT_MS, refusalOf } from './command-error.ts';

/**
 * Commands that are sent by the thousand and have an empty result: they have no promise and no timer of their own. The
 * guard's thread never returns to an event loop; it calls `expire` when it is awake.
 */
export interface FireAndForgetCommands {
  /** `done` is called once, with null when the browser has executed the command. */
  send(method: string, params: Readonly<Record<string, string>>, done: (error: CommandError | null) => void): void;
  /** The browser has executed this command. */
  acknowledged(id: number): void;
  /** Takes a reply other than an empty result; an unexpected reply is ignored. */
  settle(reply: Readonly<Record<string, unknown>>): void;
  /** Ends commands that have waited too long, as `timeout`. */
  expire(): void;
  /** Ends everything pending and everything sent from now on. */
  close(why: string): void;
}

interface Pending {
  readonly method: string;
  readonly done: (error: CommandError | null) => void;
  readonly at: number;
}

/** Ids from here on belong to these commands, those below to `commands.ts`: both use one pipe. CDP's ids have 32 bits. */
export const FIRST_FIRE_AND_FORGET_ID = 1_000_000_000;

export function createFireAndForgetCommands(
  write: (text: string) => void,
  now: () => number = Date.now,
): FireAndForgetCommands {
  const pending = new Map<number, Pending>();
  let nextId = FIRST_FIRE_AND_FORGET_ID;
  let closed: string | null = null;

  const end = (id: number, failure: ((method: string) => CommandError) | null): void => {
    const entry = pending.get(id);
    if (entry === undefined) return;
    pending.delete(id);
    entry.done(failure === null ? null : failure(entry.method));
  };

  return {
    send: (method, params, done) => {
      if (closed !== null) return done(new CommandError('closed', method, closed));
      const id = nextId++;
      pending.set(id, { method, done, at: now() });
      write(`{"id":${id},"method":"${method}","params":${JSON.stringify(params)}}`);
    },
    acknowledged: (id) => end(id, null),
    settle: (reply) => {
      const refusal = refusalOf(reply);
      end(reply['id'] as number, refusal === null ? null : (method) => new CommandError('refused', method, refusal));
    },
    expire: () => {
      const before = now() - DEFAULT_TIMEOUT_MS;
      for (const [id, { at }] of pending)
        if (at <= before)
          end(id, (method) => new CommandError('timeout', method, `no reply within ${DEFAULT_TIMEOUT_MS} ms`));
    },
    close: (why) => {
      closed ??= why;
      for (const id of [...pending.keys()]) end(id, (method) => new CommandError('closed', method, why));
    },
  };
}
