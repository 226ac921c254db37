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
  /** The DevTools socket died: told once; capture is over. There is no reconnecting: the guard ends the attempt. */
  readonly onLost?: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Pages and frames, to record; and the workers and worklets of pages, only to let them run: a page that is watched with
 * waiting holds them at their start whatever the filter says, and one that the filter leaves out stays held for good.
 * Nothing else: a service worker that is attached with waiting hangs at its second start, and `tab` and `browser` would
 * bring every page twice (measured on Chromium 156).
 */
const FILTER = [...['page', 'iframe', 'worker', 'worklet'].map((type) => ({ type })), { exclude: true }];
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: FILTER };

/**
 * Attaches to every page and frame of the armed browser, now and later.
 * @throws CdpError when the endpoint does not answer within 5 s.
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
    log.warn({ reason: message }, 'capture: over');
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
    onPicture: (timestamp, png) => {
      evidence.screenshot(timestamp, png);
    },
    onFailure: (error) => {
      log.debug({ reason: error.message }, 'capture: no screenshot');
    },
  });
  const activate = (tab: Tab, hidden: boolean): void => {
    if (focus.wants(tab.targetId, hidden, now()))
      quietly(cdp.send('Target.activateTarget', { targetId: tab.targetId }));
  };
  const warnOnce = once(() => {
    log.warn('capture: a page sends actions faster than anybody acts; some are not kept');
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
    log.warn('capture: a page floods its console; its actions are not recorded for some seconds');
    quietly(cdp.send('Runtime.disable', {}, { session }));
    setTimeout(() => {
      bind(cdp, session, names);
    }, FLOOD_PAUSE_MS).unref();
  };
  const onRuntime = (event: CdpEvent, session: string): void => {
    const { name, payload } = event.params;
    if (event.method !== 'Runtime.bindingCalled') {
      if (flood.seen(session, now())) pause(session);
    } else if (name === names.binding) onReport(session, payload);
  };
  const onEvent = (event: CdpEvent): void => {
    if (event.method.startsWith('Runtime.') && event.sessionId !== undefined) return onRuntime(event, event.sessionId);
    if (event.method === 'Target.detachedFromTarget') forget(String(event.params['sessionId']));
    const added = targets.see(event);
    if (added?.kind === 'document') setUp(cdp, added.session, names);
    else if (added) letGo(cdp, added);
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
 * All sent at once and none waited for: the target may be paused until the last of them, and a session handles its
 * messages in order. So the listeners are there before the first script of the page, and the page runs in any case.
 */
function setUp(cdp: DevToolsConnection, session: string, names: { binding: string; world: string }): void {
  const to = { session };
  quietly(cdp.send('Page.enable', {}, to));
  bind(cdp, session, names);
  const script = { source: pageScript(names.binding), worldName: names.world, runImmediately: true };
  quietly(cdp.send('Page.addScriptToEvaluateOnNewDocument', script, to));
  quietly(cdp.send('Target.setAutoAttach', AUTO_ATTACH, to));
  quietly(cdp.send('Runtime.runIfWaitingForDebugger', {}, to));
}

/** The binding does nothing unless the domain is enabled, though the protocol's page does not say so. */
function bind(cdp: DevToolsConnection, session: string, names: { binding: string; world: string }): void {
  quietly(cdp.send('Runtime.enable', {}, { session }));
  const binding = { name: names.binding, executionContextName: names.world };
  quietly(cdp.send('Runtime.addBinding', binding, { session }));
}

/** What shows no document is not left, only let run: a service worker that is left at its start hangs there. */
function letGo(cdp: DevToolsConnection, { session, parent, kind }: NewSession): void {
  quietly(cdp.send('Runtime.runIfWaitingForDebugger', {}, { session }));
  if (kind !== 'duplicate') return;
  quietly(cdp.send('Target.detachFromTarget', { sessionId: session }, parent === null ? {} : { session: parent }));
}

/** Targets vanish at any moment; a call to one that did is no news. */
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
