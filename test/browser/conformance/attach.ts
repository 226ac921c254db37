import type { ConformanceCase } from '../../conformance/case-file.ts';
import { NotAvailableHere } from '../../conformance/group.ts';
import { waitForValue } from '../capture/fixtures.ts';
import { openPage } from '../interception/cdp-client.ts';
import type { RecorderParts, WatchedCapture } from './recorder-parts.ts';
import { OTHER, SHOP } from './scenarios.ts';
import type { Attached, Tap } from './tap.ts';

/** Page scripts that create a target of a type; each resolves once the target itself has run, so it was not held. */
const MAKERS: Readonly<Record<string, string>> = {
  page: '1',
  tab: '1',
  iframe: `new Promise((done) => { const frame = document.createElement('iframe'); frame.onload = () => done(1);
    frame.src = 'https://${OTHER}/start'; document.body.append(frame); })`,
  worker: `new Promise((done) => { window.kept = new Worker('/worker.js?postMessage(1)');
    window.kept.onmessage = () => done(1); })`,
  shared_worker: `new Promise((done) => {
    window.kept = new SharedWorker('/worker.js?onconnect=(e)=>e.ports[0].postMessage(1)');
    window.kept.port.onmessage = () => done(1); })`,
  service_worker: `navigator.serviceWorker.register('/attached/worker.js').then(async (registration) => {
    const worker = registration.installing;
    while (worker.state !== 'activated') await new Promise((done) => { worker.onstatechange = done; });
    await registration.unregister(); return 1; })`,
};
/** Types that no page of this browser can create: capture gets a simulated one. */
const SIMULATED = ['webview', 'browser_ui'];

/** The target types that capture attaches to; `worker` and `worklet` only because an attached page holds them. */
const ATTACHED_TYPES = ['page', 'iframe', 'worker', 'worklet'];
/** Commands that react to an action, and are not part of attaching. */
const PICTURE = 'Page.captureScreenshot';
const RUN = 'Runtime.runIfWaitingForDebugger';

export async function attach({ input }: ConformanceCase, parts: RecorderParts): Promise<unknown> {
  if (input.event === 'page attached') return parts.withTabs(() => fetchEnabled(parts));
  const type = input.attached_target_type as string;
  if (!SIMULATED.includes(type) && MAKERS[type] === undefined)
    throw new NotAvailableHere(`no page makes a target of type ${type}`);
  const isAttached = ATTACHED_TYPES.includes(type) || SIMULATED.includes(type);
  const watched = await parts.capturing(isAttached ? {} : { also: type });
  try {
    const commands_on_child_session = await parts.withTabs(() => commandsFor(type, watched, parts));
    const others = parts.capture.tap.attached.filter((one) => !ATTACHED_TYPES.includes(one.type));
    if (others.length > 0) throw new Error(`capture is attached to ${others.map((one) => one.type).join(', ')}`);
    return { commands_on_child_session };
  } finally {
    await watched.close();
  }
}

async function commandsFor(type: string, { tap }: WatchedCapture, parts: RecorderParts): Promise<string[]> {
  if (SIMULATED.includes(type)) return commandsOn(tap, tap.attach(type));
  const known = tap.attached.length;
  const page = await openPage(parts.cdp, `https://${SHOP}/start`);
  if ((await page.evaluate(MAKERS[type] ?? '')) !== 1) throw new Error(`the ${type} did not run`);
  const isNew = (one: Attached): boolean => one.type === type;
  const made = await waitForValue(`a target of type ${type}`, () => tap.attached.slice(known).find(isNew));
  return commandsOn(tap, made.session);
}

async function commandsOn(tap: Tap, session: string): Promise<string[]> {
  const commands = (): string[] =>
    tap.sent.flatMap(({ method, sessionId }) => (sessionId === session && method !== PICTURE ? [method] : []));
  await waitForValue(`${RUN} on ${session}`, () => commands().includes(RUN));
  return commands();
}

/** The parameters of `Fetch.enable`, which only the browser itself must have received, once. */
async function fetchEnabled({ cdp, capture, said }: RecorderParts): Promise<unknown> {
  const page = await openPage(cdp, `https://${SHOP}/start`);
  const session = await waitForValue('the page', () =>
    capture.tap.attached.find((one) => one.targetId === page.targetId),
  );
  await commandsOn(capture.tap, session.session);
  const enabled = said().filter(({ method }) => method === 'Fetch.enable');
  const perTarget = capture.tap.sent.filter(({ method }) => method === 'Fetch.enable');
  if (enabled.length !== 1 || enabled[0]?.sessionId !== undefined || perTarget.length > 0)
    throw new Error(`Fetch.enable: ${JSON.stringify(enabled)} to the browser, ${JSON.stringify(perTarget)} to targets`);
  return { fetch_enable_params: enabled[0]?.params };
}
