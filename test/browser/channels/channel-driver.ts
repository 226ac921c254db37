import { connectCdp, openPage, type CdpClient, type Page, type Reply } from '../interception/cdp-client.ts';
import type { InterceptionSession } from '../interception/session.ts';
import type { ChannelSite } from './site.ts';

/** Drives one channel: a new page of the shop, and the browser behind the DevTools proxy, as an agent has them. */
export interface ChannelDriver {
  readonly site: ChannelSite;
  /** Evaluates in the page with user activation; stops waiting after five seconds. */
  evaluate(expression: string): Promise<unknown>;
  call(method: string, params?: Record<string, unknown>): Promise<Reply>;
  navigate(url: string): Promise<unknown>;
  click(x: number, y: number): Promise<void>;
  closePage(): Promise<void>;
  stopServiceWorkers(): Promise<void>;
  /** Opens a tab with a URL; with `context`, in a new browser context with these parameters. */
  createTarget(url: string, context?: Record<string, unknown>): Promise<unknown>;
  jsonNew(url: string): Promise<unknown>;
  loadNetworkResource(url: string): Promise<unknown>;
  pause(ms: number): Promise<void>;
}

const TIMEOUT_MS = 5_000;
export const pauseFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `work` with a driver; every tab that it opened is closed afterwards. */
export async function withChannelDriver(
  session: InterceptionSession,
  site: ChannelSite,
  work: (driver: ChannelDriver) => Promise<unknown>,
): Promise<void> {
  const version = (await (await fetch(`${session.devToolsUrl}/json/version`)).json()) as {
    webSocketDebuggerUrl: string;
  };
  const cdp = await connectCdp(version.webSocketDebuggerUrl, {});
  const before = await tabs(cdp);
  const page = await openPage(cdp, `${site.shop}/start`);
  try {
    await work(createDriver(session, site, cdp, page));
  } finally {
    // Only new tabs: the first one keeps the browser alive.
    const made = (await tabs(cdp)).filter((id) => !before.includes(id));
    await Promise.all(made.map((targetId) => cdp.call('Target.closeTarget', { targetId })));
    cdp.close();
  }
}

async function tabs(cdp: CdpClient): Promise<string[]> {
  const { result } = await cdp.call('Target.getTargets');
  const infos = (result?.['targetInfos'] ?? []) as { type: string; targetId: string }[];
  return infos.filter(({ type }) => type === 'page').map(({ targetId }) => targetId);
}

function createDriver(session: InterceptionSession, site: ChannelSite, cdp: CdpClient, page: Page): ChannelDriver {
  const call = (method: string, params: Record<string, unknown> = {}): Promise<Reply> =>
    cdp.call(method, params, page.sessionId);
  const withTimeout = <T>(work: Promise<T>): Promise<T | void> => Promise.race([work, pauseFor(TIMEOUT_MS)]);
  return {
    site,
    call,
    evaluate: (expression) => withTimeout(page.evaluate(expression)),
    navigate: (url) => withTimeout(page.navigate(url)),
    click: async (x, y) => {
      for (const type of ['mousePressed', 'mouseReleased'])
        await call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    },
    closePage: async () => void (await cdp.call('Target.closeTarget', { targetId: page.targetId })),
    stopServiceWorkers: async () => {
      await call('ServiceWorker.enable');
      await call('ServiceWorker.stopAllWorkers');
      await pauseFor(300);
    },
    createTarget: async (url, context) => {
      if (context === undefined) return withTimeout(cdp.call('Target.createTarget', { url }));
      const { result } = await cdp.call('Target.createBrowserContext', context);
      return withTimeout(cdp.call('Target.createTarget', { url, browserContextId: result?.['browserContextId'] }));
    },
    jsonNew: (url) => withTimeout(fetch(`${session.devToolsUrl}/json/new?${url}`, { method: 'PUT' })),
    loadNetworkResource: async (url) => {
      const { result } = await call('Page.getFrameTree');
      const { frame } = result?.['frameTree'] as { frame: { id: string } };
      return call('Network.loadNetworkResource', {
        frameId: frame.id,
        url,
        options: { disableCache: true, includeCredentials: false },
      });
    },
    pause: pauseFor,
  };
}
