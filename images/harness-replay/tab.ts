import CDP from 'chrome-remote-interface';
import { setTimeout as sleep } from 'node:timers/promises';

/** The tab that the replay controls through the DevTools proxy. */
export interface ReplayTab {
  readonly client: CDP.Client;
  /** Runs a function body with arguments in the page. @throws Error with the page's error */
  evaluate(body: string, ...args: unknown[]): Promise<unknown>;
  /** Evaluates `body` until it is truthy. @throws Error that names `what` */
  until(what: string, timeoutMs: number, body: string, ...args: unknown[]): Promise<void>;
}

/** Time limit of a command; the client itself has none. */
const COMMAND_MS = 20_000;
const POLL_MS = 100;

/** Connects to a page of the browser at a DevTools URL. @throws Error if there is none within 10 s */
export async function openTab(cdpUrl: string): Promise<ReplayTab> {
  const { hostname: host, port } = new URL(cdpUrl);
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
        if (Date.now() > until) throw new Error(`${what} was not found within ${String(timeoutMs / 1000)} s`);
        await sleep(POLL_MS);
      }
    },
  };
}

/** Adds a time limit, so that the command settles even if the socket is lost. */
export function limited<T>(command: Promise<T>): Promise<T> {
  const late = sleep(COMMAND_MS, undefined, { ref: false }).then(() => {
    throw new Error('the browser did not respond');
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
