import { readBrowserError } from '../browser-error.ts';
import { InterceptionError } from '../contracts.ts';
import type { BrowserPipe } from './browser-pipe.ts';
import { browserEndpointPath } from './devtools-proxy/browser-http.ts';
import type { SelfTest } from './self-test.ts';
import { abortable } from './latch.ts';

/** The started parts that arming needs. */
export interface ArmInput {
  readonly pipe: BrowserPipe;
  readonly selfTest: SelfTest;
  readonly cdpSocket: string;
  readonly runDir: string;
  /** Rejects when interception is lost in the meantime. */
  readonly lost: Promise<never>;
}

export interface Armed {
  readonly browserVersion: string;
  readonly browserPid: number | null;
  readonly endpoint: string;
}

const RETRY_MS = 50;
const BROWSER_ERROR_POLL_MS = 200;
/** The pipe connects before Chromium reads from it: 6 to 15 s on a machine at load 17. The real limit is the setup deadline. */
const STARTING_MS = 90_000;

/**
 * Arms interception: waits for the browser's pipe, enables Fetch at browser level (once, before any client can connect),
 * runs the self-test, and waits for the browser's DevTools port.
 * @throws InterceptionError
 */
export async function arm(input: ArmInput, signal: AbortSignal): Promise<Armed> {
  const end = new AbortController();
  let step = 'the browser has not connected';
  const refused = browserRefusal(input.runDir, end.signal);
  const work = proveInterception(input, (name) => (step = name), end.signal);
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

async function proveInterception(input: ArmInput, step: (name: string) => void, signal: AbortSignal): Promise<Armed> {
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
  step('the self-test did not finish');
  await input.selfTest.run(commands);
  step("the browser's DevTools port was not reachable");
  const path = await untilReachable(input.cdpSocket, signal);
  return {
    browserVersion: String(version['product']),
    browserPid: await browserPid(input.pipe),
    endpoint: `ws+unix://${input.cdpSocket}:${path}`,
  };
}

/** Rejects when the browser's start script reports a failure; otherwise it never settles. */
async function browserRefusal(runDir: string, signal: AbortSignal): Promise<never> {
  for (;;) {
    const error = readBrowserError(runDir);
    if (error !== null) throw new InterceptionError(error.reason, error.message);
    await new Promise((resolve) => setTimeout(resolve, BROWSER_ERROR_POLL_MS).unref());
    if (signal.aborted) return new Promise(() => undefined);
  }
}

/** The forwarder to Chromium's port starts independently. */
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
