import { readBrowserError } from '../browser-error.ts';
import { InterceptionError } from '../contracts.ts';
import type { BrowserPipe } from './browser-pipe.ts';
import { browserEndpointPath } from './devtools-proxy/browser-http.ts';
import type { SelfTest } from './self-test.ts';
import { abortable } from './latch.ts';

/** What arming needs of a started interception. */
export interface ArmInput {
  readonly pipe: BrowserPipe;
  readonly selfTest: SelfTest;
  readonly cdpSocket: string;
  readonly runDir: string;
  /** Rejects when interception is lost meanwhile. */
  readonly lost: Promise<never>;
}

export interface Armed {
  readonly browserVersion: string;
  readonly browserPid: number | null;
  readonly endpoint: string;
}

const RETRY_MS = 50;
const BROWSER_ERROR_POLL_MS = 200;
/** The pipe connects before Chromium reads it: 6 to 15 s on a machine at load 17. The set-up deadline is the real limit. */
const STARTING_MS = 90_000;

/**
 * The browser's first minute: its pipe, browser-level Fetch (once, before any client can connect), the self-test, its
 * DevTools port.
 * @throws InterceptionError
 */
export async function arm(input: ArmInput, signal: AbortSignal): Promise<Armed> {
  const end = new AbortController();
  let step = 'the browser has not connected';
  const refused = browserRefusal(input.runDir, end.signal);
  const work = prove(input, (name) => (step = name), end.signal);
  try {
    return await abortable(Promise.race([work, input.lost, refused]), signal, () => notArmed(`${step} in time`));
  } catch (error) {
    throw error instanceof InterceptionError
      ? error
      : notArmed(`${step}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    end.abort();
    work.catch(() => undefined);
  }
}

async function prove(input: ArmInput, step: (name: string) => void, signal: AbortSignal): Promise<Armed> {
  const { commands, connected } = input.pipe;
  await connected;
  step('the browser did not acknowledge interception');
  await commands.send(
    'Fetch.enable',
    { patterns: [{ urlPattern: '*', requestStage: 'Request' }] },
    { timeoutMs: STARTING_MS },
  );
  const version = await commands.send('Browser.getVersion');
  await commands.send('Target.setDiscoverTargets', { discover: true });
  step('the self-test did not end');
  await input.selfTest.run(commands);
  step("the browser's DevTools port was not reachable");
  const path = await untilReachable(input.cdpSocket, signal);
  return {
    browserVersion: String(version['product']),
    browserPid: await browserPid(input.pipe),
    endpoint: `ws+unix://${input.cdpSocket}:${path}`,
  };
}

/** Rejects when the browser's start script says that it failed; settles no other way. */
async function browserRefusal(runDir: string, signal: AbortSignal): Promise<never> {
  for (;;) {
    const error = readBrowserError(runDir);
    if (error !== null) throw new InterceptionError(error.reason, error.message);
    await new Promise((resolve) => setTimeout(resolve, BROWSER_ERROR_POLL_MS).unref());
    if (signal.aborted) return new Promise(() => undefined);
  }
}

/** The forwarder to Chromium's port comes up on its own time. */
async function untilReachable(cdpSocket: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return await browserEndpointPath(cdpSocket);
    } catch (error) {
      if (signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function browserPid({ commands }: BrowserPipe): Promise<number | null> {
  const info = await commands.send('SystemInfo.getProcessInfo').catch((): Record<string, unknown> => ({}));
  const processes = (info['processInfo'] ?? []) as { type: string; id: number }[];
  return processes.find(({ type }) => type === 'browser')?.id ?? null;
}

function notArmed(message: string): InterceptionError {
  return new InterceptionError('InterceptionNotArmed', message);
}
