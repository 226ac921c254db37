import type { FireAndForgetCommands } from '../pipe/fire-and-forget-commands.ts';

/**
 * Answers each pause exactly once: a second answer is a CDP error, and a missing one holds the page forever. A pause
 * older than a second is reported as a warning, since nothing here may take that long.
 */
export interface Pauses {
  opened(requestId: string, url: string): void;
  /** Continues the request unchanged. */
  continue(requestId: string): void;
  /** Blocks the request; the page sees `net::ERR_BLOCKED_BY_CLIENT`. */
  fail(requestId: string): void;
  /** The number of pauses whose answer the browser has not acknowledged. */
  readonly open: number;
  /** Warns about late pauses; checks at most twice a second, however often it is called. */
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
  commands: Pick<FireAndForgetCommands, 'send' | 'expire'>,
  warn: (facts: Readonly<Record<string, unknown>>, text: string) => void,
  now: () => number = Date.now,
): Pauses {
  let nextCheck = 0;
  const open = new Map<string, Pause>();

  const answer = (requestId: string, method: string, params: Readonly<Record<string, string>>): void => {
    const pause = open.get(requestId);
    if (pause === undefined || pause.answered) return;
    pause.answered = true;
    commands.send(method, params, (error) => {
      if (open.get(requestId) === pause) open.delete(requestId);
      // `refused` means that the page canceled the request in the meantime; it did not leave.
      if (error?.kind === 'timeout') warn({ method, problem: error.message }, 'a pause was not acknowledged');
    });
  };

  const check = (): void => {
    commands.expire();
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
      if (now() < nextCheck) return;
      nextCheck = now() + SLOW_PAUSE_MS / 2;
      check();
    },
  };
}

/** A log line names only the host: the rest of a URL is content of a page. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
