import CDP from 'chrome-remote-interface';

/** A message without an id. `sessionId` is undefined for the browser's own events. */
export interface CdpEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
}

/** A browser-level DevTools connection on which every call ends. */
export interface DevToolsConnection {
  /** @throws CdpError at the time limit, when the browser answers an error, or when the connection ends. */
  readonly send: (
    method: string,
    params?: Readonly<Record<string, unknown>>,
    options?: { readonly session?: string; readonly timeoutMs?: number },
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly close: () => Promise<void>;
}

export class CdpError extends Error {
  readonly method: string;
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'CdpError';
    this.method = method;
  }
}

export interface CdpOptions {
  /** `ws+unix:/PATH:/devtools/browser/ID` or a `ws:` URL. */
  readonly endpoint: string;
  readonly onEvent: (event: CdpEvent) => void;
  /** The connection was lost; `close` does not call this. Called once. */
  readonly onLost: () => void;
}

const CONNECT_MS = 30_000;
const CALL_MS = 10_000;

/**
 * chrome-remote-interface with two things that it lacks: a time limit per call, and the rejection of all pending calls
 * when the socket dies (its own promises then stay pending forever).
 * @throws when there is no answer within 30 s.
 */
export async function connectToBrowser(options: CdpOptions): Promise<DevToolsConnection> {
  const connecting = CDP({ target: { webSocketDebuggerUrl: options.endpoint } as CDP.Target, local: true });
  const client = await within(
    connecting,
    CONNECT_MS,
    new CdpError('connect', `no answer within ${CONNECT_MS} ms`),
  ).catch((error: unknown) => {
    connecting.then((late) => late.close()).catch(() => undefined);
    throw error;
  });
  const pending = new Set<(error: Error) => void>();
  const state = { open: true };
  const end = (): void => {
    state.open = false;
    for (const reject of pending) reject(new CdpError('connection', 'ended'));
    pending.clear();
  };
  client.on('event', (message) => {
    options.onEvent(message as unknown as CdpEvent);
  });
  client.on('disconnect', () => {
    const wasOpen = state.open;
    end();
    if (wasOpen) options.onLost();
  });
  return {
    send: async (method, params = {}, { session, timeoutMs = CALL_MS } = {}) => {
      if (!state.open) throw new CdpError(method, 'the connection has ended');
      const { promise, resolve, reject } = Promise.withResolvers<Readonly<Record<string, unknown>>>();
      pending.add(reject);
      const answer = client.send(method as 'Page.enable', params as never, session) as unknown as typeof promise;
      answer.then(resolve, (error: unknown) => {
        reject(new CdpError(method, error instanceof Error ? error.message : String(error)));
      });
      try {
        return await within(promise, timeoutMs, new CdpError(method, `no answer within ${timeoutMs} ms`));
      } finally {
        pending.delete(reject);
      }
    },
    close: async () => {
      end();
      await within(client.close(), 1_000, new CdpError('close', 'no answer')).catch(() => undefined);
    },
  };
}

async function within<T>(work: Promise<T>, ms: number, error: Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
