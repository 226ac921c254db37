import { randomBytes } from 'node:crypto';
import { MAX_PAYLOAD, readActionRow } from '../../benchmark/bundle/action-row.ts';
import { isObject } from '../../benchmark/text/json.ts';
import type { Capture, CaptureOptions } from '../contracts.ts';
import { type DevToolsConnection, type CdpEvent, connectToBrowser } from './cdp.ts';
import { FLOOD_PAUSE_MS, openConsoleFlood } from './console-flood.ts';
import { openFocus } from './focus.ts';
import { pageScript } from './page-script.ts';
import { openRowLimit } from './row-limit.ts';
import { openScreenshots } from './screenshots.ts';
import { openTargets, type NewSession, type Tab } from './targets.ts';

export interface StartCaptureOptions extends CaptureOptions {
  /** The DevTools connection was lost, and capture is over. Called once. It does not reconnect: the guard ends the attempt. */
  readonly onLost?: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Pages and frames, to record them; and the workers and worklets of pages, only to resume them: auto-attach with
 * `waitForDebuggerOnStart` pauses them at their start whatever the filter says, and one that the filter excludes stays
 * paused forever. Nothing else: a service worker that is paused at its start hangs at its second start, and `tab` and
 * `browser` would attach to every page twice (measured on Chromium 156).
 */
const FILTER = [...['page', 'iframe', 'worker', 'worklet'].map((type) => ({ type })), { exclude: true }];
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: FILTER };

/**
 * Attaches to every page and frame of the armed browser, now and later.
 * @throws CdpError when the endpoint does not answer within 30 s.
 */
export async function startCapture(options: StartCaptureOptions): Promise<Capture> {
  const { evidence, log, now = Date.now } = options;
  const random = randomBytes(8).toString('hex');
  const names = { binding: `report_${random}`, world: `recorder_${random}` };
  const targets = openTargets();
  const focus = openFocus();
  const limit = openRowLimit();
  const flood = openConsoleFlood();
  const onLost = (): void => {
    const message = 'the DevTools connection of the evidence session ended';
    log.warn({ reason: message }, 'capture ended');
    options.onLost?.(message);
  };
  const cdp = await connectToBrowser({
    endpoint: options.endpoint,
    onLost,
    onEvent: (event) => {
      onEvent(event);
    },
  });
  const screenshots = openScreenshots({
    cdp,
    onScreenshot: (timestamp, png) => {
      evidence.screenshot(timestamp, png);
    },
    onFailure: (error) => {
      log.debug({ reason: error.message }, 'screenshot failed');
    },
  });
  const activate = (tab: Tab, hidden: boolean): void => {
    if (focus.shouldActivate(tab.targetId, hidden, now()))
      quietly(cdp.send('Target.activateTarget', { targetId: tab.targetId }));
  };
  const warnOnce = once(() => {
    log.warn('a page sends actions faster than any agent acts; some are not recorded');
  });
  const onReport = (session: string, payload: unknown): void => {
    const at = now();
    if (!limit.admits(session, at)) return warnOnce();
    const given = parse(payload);
    const row = readActionRow(given, at);
    const tab = targets.tabOf(session);
    if (row === null || tab === null) return;
    evidence.action({ ...row });
    options.onAction(at);
    activate(tab, isObject(given) && given['hidden'] === true);
    screenshots.afterAction(tab.session, row.timestamp, at);
  };
  const pause = (session: string): void => {
    log.warn('a page floods its console; its actions are not recorded for 5 s');
    quietly(cdp.send('Runtime.disable', {}, { session }));
    setTimeout(() => {
      bind(cdp, session, names);
    }, FLOOD_PAUSE_MS).unref();
  };
  const onRuntime = (event: CdpEvent, session: string): void => {
    const { name, payload } = event.params;
    if (event.method !== 'Runtime.bindingCalled') {
      if (flood.count(session, now())) pause(session);
    } else if (name === names.binding) onReport(session, payload);
  };
  const onEvent = (event: CdpEvent): void => {
    if (event.method.startsWith('Runtime.') && event.sessionId !== undefined) return onRuntime(event, event.sessionId);
    if (event.method === 'Target.detachedFromTarget') forget(String(event.params['sessionId']));
    const added = targets.handle(event);
    if (added?.kind === 'document') recordDocument(cdp, added.session, names);
    else if (added) resume(cdp, added);
  };
  const forget = (session: string): void => {
    limit.forget(session);
    flood.forget(session);
  };
  await cdp.send('Target.setAutoAttach', AUTO_ATTACH);
  return {
    focusFrame: (frameId) => {
      const tab = targets.tabOfFrame(frameId);
      if (tab) activate(tab, false);
    },
    frameUrl: targets.frameUrl,
    stop: cdp.close,
  };
}

/**
 * Sends all commands at once and waits for none: the target may be paused until the last of them, and a session handles
 * its messages in order. So the listeners are added before the page's first script, and the page runs in any case.
 */
function recordDocument(cdp: DevToolsConnection, session: string, names: { binding: string; world: string }): void {
  const to = { session };
  quietly(cdp.send('Page.enable', {}, to));
  bind(cdp, session, names);
  const script = { source: pageScript(names.binding), worldName: names.world, runImmediately: true };
  quietly(cdp.send('Page.addScriptToEvaluateOnNewDocument', script, to));
  quietly(cdp.send('Target.setAutoAttach', AUTO_ATTACH, to));
  quietly(cdp.send('Runtime.runIfWaitingForDebugger', {}, to));
}

/** The binding does nothing unless the Runtime domain is enabled, though the protocol's documentation does not say so. */
function bind(cdp: DevToolsConnection, session: string, names: { binding: string; world: string }): void {
  quietly(cdp.send('Runtime.enable', {}, { session }));
  const binding = { name: names.binding, executionContextName: names.world };
  quietly(cdp.send('Runtime.addBinding', binding, { session }));
}

/** A target without a document is resumed, not detached: a service worker that is detached at its start hangs. */
function resume(cdp: DevToolsConnection, { session, parent, kind }: NewSession): void {
  quietly(cdp.send('Runtime.runIfWaitingForDebugger', {}, { session }));
  if (kind !== 'duplicate') return;
  quietly(cdp.send('Target.detachFromTarget', { sessionId: session }, parent === null ? {} : { session: parent }));
}

/** Targets disappear at any moment, so a failed call to one is ignored. */
function quietly(call: Promise<unknown>): void {
  call.catch(() => undefined);
}

function parse(payload: unknown): unknown {
  if (typeof payload !== 'string' || payload.length > MAX_PAYLOAD) return null;
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return null;
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
