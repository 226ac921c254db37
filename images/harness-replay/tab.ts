import CDP from 'chrome-remote-interface';
import { setTimeout as sleep } from 'node:timers/promises';

/** The tab that the replay works in, through the CDP door. */
export interface ReplayTab {
  readonly client: CDP.Client;
  /** Runs a function body with arguments in the page. @throws Error with the page's own words. */
  evaluate(body: string, ...args: unknown[]): Promise<unknown>;
  /** Asks `body` (truthy: done) until it says yes. @throws Error naming `what`. */
  until(what: string, timeoutMs: number, body: string, ...args: unknown[]): Promise<void>;
}

/** How long one command may take: the client itself waits for ever. */
const COMMAND_MS = 20_000;
const POLL_MS = 100;

/** Connects to a page of the browser behind `door`. @throws Error when there is none within 10 s. */
export async function openTab(door: string): Promise<ReplayTab> {
  const { hostname: host, port } = new URL(door);
  const client = await retry(10_000, () => CDP({ host, port: Number(port), local: true }));
  await Promise.all([client.Page.enable(), client.Runtime.enable()]);
  const evaluate = async (body: string, ...args: unknown[]): Promise<unknown> => {
    const expression = `((...args) => {${body}})(...${JSON.stringify(args)})`;
    const reply = await limited(
      client.Runtime.evaluate({ expression, awaitPromise: true, returnByValue: true, userGesture: true }),
    );
    const { exceptionDetails: thrown } = reply;
    if (thrown !== undefined) throw new Error(thrown.exception?.description ?? thrown.text);
    return reply.result.value as unknown;
  };
  return {
    client,
    evaluate,
    until: async (what, timeoutMs, body, ...args) => {
      const until = Date.now() + timeoutMs;
      while (!(await evaluate(body, ...args).catch(() => false))) {
        if (Date.now() > until) throw new Error(`${what} did not come within ${String(timeoutMs / 1000)} s`);
        await sleep(POLL_MS);
      }
    },
  };
}

/** Settles even when the socket dies. */
export function limited<T>(command: Promise<T>): Promise<T> {
  const late = sleep(COMMAND_MS, undefined, { ref: false }).then(() => {
    throw new Error('the browser did not answer');
  });
  return Promise.race([command, late]);
}

async function retry<T>(timeoutMs: number, attempt: () => Promise<T>): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(200);
    }
  }
}
