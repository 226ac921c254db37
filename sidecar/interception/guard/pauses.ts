import type { FireAndForgetCommands } from '../pipe/fire-and-forget-commands.ts';

/**
 * Answers pauses, each exactly once: a second answer is an error of CDP, a missing one holds the page for ever. A
 * pause older than a second is reported, since nothing here may take that long.
 */
export interface Pauses {
  opened(requestId: string, url: string): void;
  /** Lets it go on untouched. */
  continue(requestId: string): void;
  /** Blocks it; the page sees `net::ERR_BLOCKED_BY_CLIENT`. */
  fail(requestId: string): void;
  /** Pauses without an answer that the browser has acknowledged. */
  readonly open: number;
  /** Reports what is late; looks twice a second at most, however often it is called. */
  watch(): void;
}

export const SLOW_PAUSE_MS = 1_000;

interface Pause {
  readonly url: string;
  readonly at: number;
  answered: boolean;
  reported: boolean;
}

export function createPauses(
  orders: Pick<FireAndForgetCommands, 'order' | 'sweep'>,
  warn: (facts: Readonly<Record<string, unknown>>, text: string) => void,
  now: () => number = Date.now,
): Pauses {
  let nextLook = 0;
  const open = new Map<string, Pause>();

  const answer = (requestId: string, method: string, params: Readonly<Record<string, string>>): void => {
    const pause = open.get(requestId);
    if (pause === undefined || pause.answered) return;
    pause.answered = true;
    orders.order(method, params, (error) => {
      if (open.get(requestId) === pause) open.delete(requestId);
      // Refused means that the page gave the request up by itself meanwhile; it did not leave.
      if (error?.kind === 'timeout') warn({ method, problem: error.message }, 'a pause was not acknowledged');
    });
  };

  const look = (): void => {
    orders.sweep();
    for (const pause of open.values()) {
      if (pause.reported || now() - pause.at < SLOW_PAUSE_MS) continue;
      pause.reported = true;
      warn(
        { host: hostOf(pause.url), answered: pause.answered, ageMs: now() - pause.at },
        'a request is held for more than a second',
      );
    }
  };

  return {
    opened: (requestId, url) => {
      open.set(requestId, { url, at: now(), answered: false, reported: false });
    },
    continue: (requestId) => answer(requestId, 'Fetch.continueRequest', { requestId }),
    fail: (requestId) => answer(requestId, 'Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }),
    get open() {
      return open.size;
    },
    watch: () => {
      if (now() < nextLook) return;
      nextLook = now() + SLOW_PAUSE_MS / 2;
      look();
    },
  };
}

/** A log line names the host and nothing that a page may have put into a URL. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
