/** Prints the events of a session: with `--json` as one object per line on stdout (docs/local.md), otherwise as text. */
export interface SessionReport {
  armed(event: ArmedEvent): void;
  intercepted(url: string, method: string): void;
  blocked(reason: string, url: string): void;
  finished(event: FinishedEvent): void;
  /** A message for people. With `--json`, it goes to stderr as all logs do. */
  note(line: string): void;
}

export interface ArmedEvent {
  readonly cdp: string;
  readonly control: string;
  readonly proxy: string;
  readonly pids: { readonly recorder: number; readonly browser: number };
}

export interface FinishedEvent {
  readonly outcome: string;
  readonly stopReason: string;
  readonly bundle: string;
  readonly reason: string;
  readonly message: string;
}

export function createSessionReport(json: boolean): SessionReport {
  return json ? jsonReport() : textReport();
}

function jsonReport(): SessionReport {
  const print = (event: string, fields: object): void => {
    process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
  };
  return {
    armed: (event) => {
      print('armed', event);
    },
    intercepted: (url, method) => {
      print('intercepted', { url, method });
    },
    blocked: (reason, url) => {
      print('blocked', { reason, url });
    },
    finished: (event) => {
      print('finished', event);
    },
    note: (line) => {
      process.stderr.write(`${line}\n`);
    },
  };
}

function textReport(): SessionReport {
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  return {
    armed: ({ cdp, control, pids }) => {
      print(
        `armed: interception works; DevTools at ${cdp}, control API at ${control}, browser process ${String(pids.browser)}`,
      );
    },
    intercepted: (url, method) => {
      print(`intercepted: ${method} ${url}`);
    },
    blocked: (reason, url) => {
      print(`blocked (${reason}): ${url}`);
    },
    finished: ({ outcome, reason, message, bundle }) => {
      print(
        `finished: ${outcome} (${reason}) ${message}\nbundle: ${bundle}\nTo inspect it, run: npx clawbench view ${bundle}`,
      );
    },
    note: print,
  };
}
