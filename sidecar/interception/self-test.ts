import { randomUUID } from 'node:crypto';
import { InterceptionError } from '../contracts.ts';
import type { BrowserCommands } from './pipe/commands.ts';
import { createLatch } from './latch.ts';

/**
 * Proves before the agent starts that the guard and the gateway work, with two tabs in a temporary browser context, opened
 * by URL (an interceptor that works on pages only missed those 6 times of 6). One tab goes to a reserved name; the guard
 * must block it and the gateway must not see it. The other goes to loopback and must arrive at the gateway, which refuses
 * it: a browser that was started without the proxy, or that bypasses it for loopback, is found here and not by a leak.
 */
export interface SelfTest {
  readonly urls: { readonly blocked: string; readonly passed: string };
  /** The guard failed the first URL. */
  guardBlocked(): void;
  /** The gateway refused a request for this URL. */
  gatewayRefused(url: string): void;
  /** @throws InterceptionError `SelfTestFailed` */
  run(commands: BrowserCommands): Promise<void>;
}

const TIMEOUT_MS = 45_000;
const NOT_THROUGH_GATEWAY =
  'the browser does not use the gateway as its proxy; start it with --proxy-server and --proxy-bypass-list=<-loopback>';

export function createSelfTest(controlPort: number): SelfTest {
  const nonce = randomUUID();
  const urls = {
    blocked: `http://clawbench-self-test.invalid/${nonce}`,
    passed: `http://127.0.0.1:${controlPort}/clawbench-self-test/${nonce}`,
  };
  const blocked = createLatch<void>();
  const passed = createLatch<void>();
  return {
    urls,
    guardBlocked: () => blocked.set(),
    gatewayRefused: (url) => {
      if (url === urls.passed) passed.set();
      if (url.includes('clawbench-self-test.invalid')) blocked.fail(failure('the self-test request passed the guard'));
    },
    run: async (commands) => {
      const context = await commands.send('Target.createBrowserContext', { disposeOnDetach: true });
      const browserContextId = context['browserContextId'];
      const open = (url: string): Promise<Record<string, unknown>> =>
        commands.send('Target.createTarget', { url, browserContextId, background: true });
      try {
        await Promise.all([
          open(urls.blocked),
          within(blocked.promise, 'the self-test request was not paused by the browser'),
          open('about:blank').then((tab) => navigate(commands, String(tab['targetId']), urls.passed)),
          within(passed.promise, NOT_THROUGH_GATEWAY),
        ]);
      } finally {
        await commands.send('Target.disposeBrowserContext', { browserContextId });
      }
    },
  };
}

/** The gateway responds with 403, which the browser shows as a page; a network error means that there was no response. */
async function navigate(commands: BrowserCommands, targetId: string, url: string): Promise<void> {
  const { sessionId } = await commands.send('Target.attachToTarget', { targetId, flatten: true });
  const result = await commands.send('Page.navigate', { url }, { sessionId: String(sessionId) });
  if (typeof result['errorText'] === 'string') throw failure(`${NOT_THROUGH_GATEWAY} (${result['errorText']})`);
}

async function within(fact: Promise<void>, otherwise: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(failure(otherwise)), TIMEOUT_MS);
  });
  await Promise.race([fact, late]).finally(() => clearTimeout(timer));
}

function failure(message: string): InterceptionError {
  return new InterceptionError('SelfTestFailed', message);
}
