import { screenshotDue } from '../../benchmark/bundle/screenshot-throttle.ts';
import type { DevToolsConnection } from './cdp.ts';

/**
 * Longer than a page needs even on an overloaded node (4 s lost every screenshot at a load of 12 per core); a hung
 * renderer must not accumulate promises.
 */
const SCREENSHOT_MS = 10_000;
/** A tab with an open dialog takes no screenshot; it must neither block the other tabs nor accumulate requests. */
const MAX_PENDING = 3;

export interface ScreenshotCaptureOptions {
  readonly cdp: DevToolsConnection;
  readonly onScreenshot: (timestamp: number, png: Uint8Array) => void;
  readonly onFailure: (error: Error) => void;
}

/** Takes screenshots after actions: at most one per 500 ms over all tabs, with a time limit, and nothing waits for them. */
export function openScreenshots(options: ScreenshotCaptureOptions): {
  readonly afterAction: (session: string, timestamp: number, now: number) => void;
} {
  let last: number | null = null;
  let pending = 0;
  const take = async (session: string, timestamp: number): Promise<void> => {
    pending += 1;
    try {
      const params = { format: 'png', captureBeyondViewport: false };
      const { data } = await options.cdp.send('Page.captureScreenshot', params, { session, timeoutMs: SCREENSHOT_MS });
      if (typeof data === 'string') options.onScreenshot(timestamp, Buffer.from(data, 'base64'));
    } catch (error) {
      options.onFailure(error as Error);
    } finally {
      pending -= 1;
    }
  };
  return {
    afterAction: (session, timestamp, now) => {
      if (!screenshotDue(last, now) || pending >= MAX_PENDING) return;
      last = now;
      void take(session, timestamp);
    },
  };
}
