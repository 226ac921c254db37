import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser as Agent, type Page } from 'playwright-core';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCapture } from '../../../sidecar/capture/start.ts';
import type { Capture } from '../../../sidecar/contracts.ts';
import {
  type Browser,
  waitForValue,
  keepInMemory,
  type Kept,
  type Row,
  type PageSite,
  startBrowser,
  startPageSite,
} from './fixtures.ts';

const PAGES = {
  '/form': `<!doctype html><title>A form</title><body><p>intro</p>
    <div class="box"><button id="go" class="primary big">Press me</button></div>
    <form onsubmit="return false"><input name="tagName"><input id="name"><input id="pw" type="password">
    <input type="submit" id="send"></form></body>`,
  '/tall': '<!doctype html><title>Tall</title><body style="height:20000px">tall</body>',
  '/outer': `<!doctype html><title>Outer</title><body><iframe id="cross" width=400 height=300
    src="http://localhost:PORT/inner"></iframe></body>`,
  '/inner': `<!doctype html><title>Inner</title><body><button id="in">inside</button>
    <iframe width=200 height=100 src="http://127.0.0.1:PORT/deep"></iframe></body>`,
  '/deep': '<!doctype html><title>Deep</title><body><button id="deepest">deepest</button></body>',
  '/opener': '<!doctype html><title>Opener</title><body><a id="a" target="_blank" href="/form">new tab</a></body>',
  // Interferes where it can: stops events first, calls anything that looks like a binding, falsifies the time.
  '/hostile': `<!doctype html><title>Hostile</title><script>
    for (const type of ['click', 'keydown', 'submit'])
      window.addEventListener(type, (event) => event.stopImmediatePropagation(), true);
    Date.now = () => 1; JSON.stringify = () => '{"type":"click","url":"forged"}';
    Array.prototype.unshift = () => { throw new Error('no'); };
    window.found = [];
    for (const name of Object.getOwnPropertyNames(window))
      if (/^(report|recorder)_[0-9a-f]{16}$/.test(name)) {
        window.found.push(name);
        try { window[name]('{"type":"click","url":"forged"}'); } catch {}
      }
    </script><body><button id="target">real</button></body>`,
  '/rewritten': `<!doctype html><title>Rewritten</title><body><button id="old">old</button><script>
    setTimeout(() => { document.open(); document.write('<body><button id="fresh">fresh</button></body>'); document.close(); }, 100);
    </script></body>`,
  '/storm': `<!doctype html><title>Storm</title><body><script>
    setTimeout(() => { for (let i = 0; i < 10000; i++) document.body.dispatchEvent(new Event('click', { bubbles: true })); }, 50);
    </script></body>`,
} as const;

let browser: Browser;
let site: PageSite;
let agent: Agent;
let capture: Capture;
let kept: Kept;
let page: Page;
let actions = 0;
const lost: string[] = [];

beforeAll(async () => {
  site = await startPageSite(PAGES);
  browser = await startBrowser();
  kept = keepInMemory();
  capture = await startCapture({
    endpoint: browser.endpoint,
    evidence: kept,
    log: pino({ level: 'silent' }),
    onAction: () => void (actions += 1),
    onLost: (message) => lost.push(message),
  });
  await waitForValue('the start page', () => actions > 0);
  agent = await chromium.connectOverCDP(browser.http);
  page = agent.contexts()[0]?.pages()[0] as Page;
});
afterAll(async () => {
  await agent.close();
  await browser.close();
  await site.close();
});
beforeEach(() => {
  kept.rows.length = 0;
  kept.pictures.length = 0;
});

const url = (path: keyof typeof PAGES, host = '127.0.0.1'): string => `http://${host}:${String(site.port)}${path}`;
const newTab = (): Promise<Page> => page.context().newPage();
const row = (type: string, check: (row: Row) => boolean = () => true): Promise<Row> =>
  waitForValue(`a ${type} row`, () => kept.rows.find((found) => found.type === type && check(found)));
/** All tabs share one screenshot per 500 ms: the load, or an earlier test's last row, may have just taken it. */
const nextPictureIsDue = (): Promise<void> => sleep(600);
const pictureOf = ({ timestamp }: Row): Promise<Kept['pictures'][number]> =>
  waitForValue('a screenshot', () => kept.pictures.find((picture) => picture.timestamp === timestamp));

describe('actions', () => {
  test('the start page and each navigation are page loads', async () => {
    await page.goto(url('/form'));
    expect(await row('pageLoad')).toMatchObject({ url: url('/form'), title: 'A form' });
    expect(actions).toBeGreaterThanOrEqual(2);
  });

  test('a click has upstream’s fields and a screenshot', async () => {
    await page.goto(url('/form'));
    await row('pageLoad');
    await nextPictureIsDue();
    await page.click('#go');
    const click = await row('click');
    expect(click).toEqual({
      type: 'click',
      timestamp: expect.closeTo(Date.now(), -4) as number,
      url: url('/form'),
      target: {
        tagName: 'BUTTON',
        id: 'go',
        className: 'primary big',
        textContent: 'Press me',
        xpath: '/html[1]/body[1]/div[1]/button[1]',
      },
      x: expect.any(Number) as number,
      y: expect.any(Number) as number,
      value: '',
    });
    const picture = await pictureOf(click);
    expect(Buffer.from(picture.png.subarray(0, 4))).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  });

  test('typing gives keys and throttled input, the final value by change, and nothing of a password', async () => {
    await page.goto(url('/form'));
    await page.click('#name');
    await page.keyboard.type('hello');
    await page.click('#pw');
    await page.keyboard.type('hunter2!');
    await page.keyboard.press('Enter');
    await row('submit', ({ target }) => target?.tagName === 'FORM');
    expect(await row('change', ({ target }) => target?.id === 'name')).toMatchObject({ value: 'hello' });
    const keys = kept.rows.filter(({ type, target }) => type === 'keydown' && target?.id === 'name');
    expect(keys.map(({ key }) => key)).toEqual(['h', 'e', 'l', 'l', 'o']);
    const inputs = kept.rows.filter(({ type, target }) => type === 'input' && target?.id === 'name');
    expect(inputs).toHaveLength(1);
    expect(JSON.stringify(kept.rows)).not.toMatch(/hunter|"[hunter2!]","value":"•/);
    const secret = kept.rows.filter(({ target, type }) => target?.id === 'pw' && type === 'keydown');
    expect(secret.map(({ key }) => key)).toEqual([...Array<string>(8).fill('•'), 'Enter']);
  });

  test('scrolling gives at most two rows a second, and at most one screenshot per 500 ms', async () => {
    await page.goto(url('/tall'));
    kept.pictures.length = 0;
    const started = Date.now();
    while (Date.now() - started < 1_600) {
      await page.mouse.wheel(0, 100);
      await sleep(30);
    }
    const scrolls = kept.rows.filter(({ type }) => type === 'scroll');
    expect(scrolls.length).toBeGreaterThanOrEqual(3);
    expect(scrolls.length).toBeLessThanOrEqual(5);
    const gaps = scrolls.slice(1).map(({ timestamp }, i) => timestamp - (scrolls[i]?.timestamp ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
    expect(kept.pictures.length).toBeLessThanOrEqual(5);
  });

  test('actions in cross-site frames, also nested ones, are recorded, with the page’s screenshot', async () => {
    await page.goto(url('/outer'));
    const inner = page.frameLocator('#cross');
    await inner.locator('#in').hover();
    await nextPictureIsDue();
    await inner.locator('#in').click();
    const click = await row('click', ({ target }) => target?.id === 'in');
    expect(click).toMatchObject({ url: url('/inner', 'localhost') });
    await pictureOf(click);
    await inner.frameLocator('iframe').locator('#deepest').click();
    expect(await row('click', ({ target }) => target?.id === 'deepest')).toMatchObject({ url: url('/deep') });
    await row('pageLoad', (found) => found.url === url('/inner', 'localhost'));
  });

  test('a tab opened by a link is recorded from its first document on', async () => {
    await page.goto(url('/opener'));
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.click('#a')]);
    await row('pageLoad', (found) => found.url === url('/form'));
    await opened.click('#go');
    await row('click', ({ target }) => target?.id === 'go');
    await opened.close();
  });

  test('twelve tabs opened at once each report their load exactly once', async () => {
    const tabs = await Promise.all(Array.from({ length: 12 }, () => newTab()));
    kept.rows.length = 0;
    await Promise.all(tabs.map((tab, i) => tab.goto(`${url('/form')}?tab=${String(i)}`)));
    await waitForValue('all loads', () => loads().length >= 12);
    await sleep(200);
    expect(new Set(loads()).size).toBe(12);
    expect(loads()).toHaveLength(12);
    await Promise.all(tabs.map((tab) => tab.close()));
    function loads(): string[] {
      return kept.rows
        .filter(({ type, url: at }) => type === 'pageLoad' && at.includes('?tab='))
        .map(({ url: at }) => at);
    }
  });
});

describe('a hostile page', () => {
  test('finds no binding to call, and cannot hide a click or falsify its row', async () => {
    await page.goto(url('/hostile'));
    await page.click('#target');
    expect(await row('click')).toMatchObject({ url: url('/hostile'), target: { id: 'target', textContent: 'real' } });
    expect(await page.evaluate('window.found')).toEqual([]);
    expect(kept.rows.filter((found) => found.url === 'forged')).toEqual([]);
    for (const { timestamp } of kept.rows) expect(Math.abs(timestamp - Date.now())).toBeLessThan(10_000);
  });

  test('document.open does not remove the listeners', async () => {
    await page.goto(url('/rewritten'));
    await page.click('#fresh');
    await row('click', ({ target }) => target?.id === 'fresh');
  });

  test('a storm of events is cut off, and the next page is recorded', async () => {
    await page.goto(url('/storm'));
    await waitForValue('the storm', () => kept.rows.length > 3_000);
    await sleep(500);
    expect(kept.rows.length).toBeLessThan(4_500);
    const fresh = await newTab();
    await fresh.goto(url('/form'));
    await fresh.click('#go');
    await row('click', ({ target }) => target?.id === 'go');
    await fresh.close();
  });
});

test('endless console output neither blocks capture nor silences the tab for good', async () => {
  const loud = await newTab();
  await loud.goto(url('/form'));
  let longest = 0;
  let last = Date.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, Date.now() - last);
    last = Date.now();
  }, 10);
  await loud.evaluate('window.loud = setInterval(() => { for (let i = 0; i < 1000; i++) console.log({ i }); }, 10)');
  await sleep(2_000);
  clearInterval(watch);
  expect(longest).toBeLessThan(1_000);
  await loud.evaluate('clearInterval(window.loud)');
  await sleep(5_200);
  await loud.click('#go');
  await row('click', ({ target }) => target?.id === 'go');
  await loud.close();
});

describe('tabs', () => {
  test('the tab of a paused document request, and of each action, comes to the front', async () => {
    await page.goto(url('/form'));
    const other = await newTab();
    await other.goto(url('/opener'));
    await other.bringToFront();
    await page.click('#go');
    await row('click', ({ target }) => target?.id === 'go');
    await sleep(300);
    const visible = (tab: Page): Promise<unknown> => tab.evaluate('document.visibilityState');
    expect(await visible(page)).toBe('visible');
    const session = await other.context().newCDPSession(other);
    const tree = await session.send('Page.getFrameTree');
    capture.focusFrame(tree.frameTree.frame.id);
    expect(capture.frameUrl(tree.frameTree.frame.id)).toBe(url('/opener'));
    expect(capture.frameUrl('unknown')).toBe('');
    capture.focusFrame('unknown');
    await sleep(300);
    expect(await visible(other)).toBe('visible');
    await other.close();
  });

  test('a page that is stuck in a dialog or a loop does not delay other tabs', async () => {
    const stuck = await newTab();
    await stuck.goto(url('/form'));
    void stuck.evaluate('for (const end = Date.now() + 3000; Date.now() < end; );').catch(() => undefined);
    await sleep(100);
    await page.goto(url('/form'));
    kept.pictures.length = 0;
    // More than one click: a single screenshot may be given up (seen once in about fifty runs), the next must come.
    for (let clicks = 0; clicks < 3 && kept.pictures.length === 0; clicks++) {
      await sleep(550);
      await page.click('#go');
    }
    await waitForValue('a screenshot of the other tab', () => kept.pictures[0]);
    await stuck.close();
  });
});

test('stop ends capture without an event; a dead browser is reported once', async () => {
  const second: string[] = [];
  const stopped = await startCapture({
    endpoint: browser.endpoint,
    evidence: keepInMemory(),
    log: pino({ level: 'silent' }),
    onAction: () => undefined,
    onLost: (message) => second.push(message),
  });
  await stopped.stop();
  const exit = once(browser.process, 'exit');
  process.kill(-(browser.process.pid ?? 0), 'SIGKILL');
  await exit;
  await waitForValue('the loss', () => lost.length > 0);
  capture.focusFrame('any');
  await sleep(100);
  expect(lost).toHaveLength(1);
  expect(second).toEqual([]);
});
