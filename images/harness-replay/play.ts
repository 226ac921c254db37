import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, ReplayStep } from './plan.ts';
import { limited, type ReplayTab } from './tab.ts';

const ELEMENT_MS = 15_000;
const ARRIVE_MS = 5_000;
const LOAD_MS = 20_000;

/** Finds an element in the page by the Locator `args[0]`; the focused one if it is empty. */
const FIND = `
  const { xpath, selector } = args[0];
  const element = selector !== undefined ? document.querySelector(selector)
    : xpath !== undefined ? document.evaluate(xpath, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue
    : document.activeElement;
`;
const READY = `return document.readyState !== 'loading'`;

type Act<D extends ReplayStep['do']> = (tab: ReplayTab, step: ReplayStep & { do: D }) => Promise<unknown>;

const ACTS: { readonly [D in ReplayStep['do']]: Act<D> } = {
  navigate: (tab, { url }) => navigate(tab, url),
  arrive: (tab, { url }) => arrive(tab, url),
  click: async (tab, { at }) => click(tab, 'x' in at ? at : await centreOf(tab, at)),
  fill: (tab, { at, value }) => fill(tab, at, value),
  press: (tab, { key }) => press(tab, key),
  scroll: (tab, { x, y }) => tab.evaluate('window.scrollTo(args[0], args[1])', x, y),
  submit: async (tab, { at }) => {
    await element(tab, at);
    await tab.evaluate(`${FIND} (element.form ?? element).requestSubmit()`, at);
  },
  choose: (tab, { at, file }) => choose(tab, at, file),
  wait: (_tab, { ms }) => sleep(ms),
  waitFor: (tab, { at, ms }) => tab.until(`element ${JSON.stringify(at)}`, ms, `${FIND} return element !== null`, at),
};

/** Performs one step, with real mouse and key events where possible. */
export async function playStep(tab: ReplayTab, step: ReplayStep): Promise<void> {
  const act = ACTS[step.do] as Act<ReplayStep['do']>;
  await act(tab, step);
}

async function navigate(tab: ReplayTab, url: string): Promise<void> {
  const { errorText } = await limited(tab.client.Page.navigate({ url }));
  if (errorText !== undefined && errorText !== '') throw new Error(`${url}: ${errorText}`);
  await tab.until(`page ${url}`, LOAD_MS, READY);
}

async function arrive(tab: ReplayTab, url: string): Promise<void> {
  const there = 'return location.href === args[0] && document.readyState !== "loading"';
  await tab.until(`page ${url}`, ARRIVE_MS, there, url).catch(() => navigate(tab, url));
}

async function element(tab: ReplayTab, at: Locator): Promise<void> {
  await tab.until(`element ${JSON.stringify(at)}`, ELEMENT_MS, `${FIND} return element !== null`, at);
}

async function centreOf(tab: ReplayTab, at: Locator): Promise<{ x: number; y: number }> {
  await element(tab, at);
  const centre = `${FIND}
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };`;
  return (await tab.evaluate(centre, at)) as { x: number; y: number };
}

async function click(tab: ReplayTab, at: { readonly x: number; readonly y: number }): Promise<void> {
  const { Input } = tab.client;
  const button = { x: at.x, y: at.y, button: 'left', clickCount: 1 } as const;
  await limited(Input.dispatchMouseEvent({ type: 'mouseMoved', x: at.x, y: at.y }));
  await limited(Input.dispatchMouseEvent({ type: 'mousePressed', ...button }));
  await limited(Input.dispatchMouseEvent({ type: 'mouseReleased', ...button }));
}

async function fill(tab: ReplayTab, at: Locator, value: string): Promise<void> {
  await element(tab, at);
  // Lists, dates and colours cannot be typed; text is selected and replaced by typing.
  const set = `${FIND}
    element.focus();
    if (element.value === args[1]) return true;
    if (element.tagName !== 'SELECT' && /^(text|search|email|tel|url|password|number|textarea)?$/.test(element.type ?? '')) {
      element.select?.();
      return false;
    }
    element.value = args[1];
    element.dispatchEvent(new Event('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return true;`;
  if ((await tab.evaluate(set, at, value)) === true) return;
  await limited(tab.client.Input.insertText({ text: value }));
}

const KEY_CODES: Readonly<Record<string, number>> = {
  Enter: 13,
  Tab: 9,
  Escape: 27,
  Backspace: 8,
  Delete: 46,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
};

async function press(tab: ReplayTab, key: string): Promise<void> {
  const { Input } = tab.client;
  const code = KEY_CODES[key];
  if (code === undefined) return;
  const common = { key, code: key, windowsVirtualKeyCode: code };
  await limited(Input.dispatchKeyEvent({ type: 'keyDown', ...common, ...(key === 'Enter' ? { text: '\r' } : {}) }));
  await limited(Input.dispatchKeyEvent({ type: 'keyUp', ...common }));
}

/** The file is created in the page, since browser and harness share no file system. */
async function choose(tab: ReplayTab, at: Locator, file: (ReplayStep & { do: 'choose' })['file']): Promise<void> {
  await element(tab, at);
  const put = `${FIND}
    const { name, base64, type } = args[1];
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type }));
    element.files = transfer.files;
    element.dispatchEvent(new Event('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));`;
  await tab.evaluate(put, at, file);
}
