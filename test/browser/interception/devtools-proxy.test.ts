import { once } from 'node:events';
import CDP from 'chrome-remote-interface';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import WebSocket from 'ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCdp, openPage, type CdpClient } from './cdp-client.ts';
import { startFixtureSite, type FixtureSite } from './fixture-site.ts';
import { startInterceptionSession, type InterceptionSession } from './session.ts';

/** What harnesses do through the DevTools proxy with their own libraries, and what it refuses. */
let site: FixtureSite;
let session: InterceptionSession;
let url: string;

const FORM = `<!doctype html><title>form</title><input id=i><button id=b onclick="document.title = 'clicked ' + i.value">go</button>`;

beforeAll(async () => {
  site = await startFixtureSite({ '/form': FORM });
  session = await startInterceptionSession({
    evalSchema: { url_pattern: '/hit', method: '' },
    network: { allow: [`127.0.0.1:${site.port}`] },
    keepOpen: true,
  });
  url = `http://127.0.0.1:${site.port}`;
});
afterAll(async () => {
  await session.close();
  await site.close();
});

async function agent(): Promise<CdpClient> {
  const version = (await (await fetch(`${session.devToolsUrl}/json/version`)).json()) as {
    webSocketDebuggerUrl: string;
  };
  expect(version.webSocketDebuggerUrl).toContain(session.devToolsUrl.replace('http', 'ws'));
  return connectCdp(version.webSocketDebuggerUrl, {});
}

test('Playwright connects, clicks, types and takes a screenshot, and its close leaves the browser running', async () => {
  const browser = await chromium.connectOverCDP(session.devToolsUrl);
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const page = await context.newPage();
  await page.goto(`${url}/form`);
  await page.fill('#i', 'playwright');
  await page.click('#b');
  expect(await page.title()).toBe('clicked playwright');
  expect((await page.screenshot()).length).toBeGreaterThan(500);
  const own = await browser.newContext();
  const other = await own.newPage();
  await other.goto(`${url}/form`);
  expect(await other.title()).toBe('form');
  await browser.close();
  expect((await fetch(`${session.devToolsUrl}/json/version`)).status).toBe(200);
});

test('Puppeteer connects, clicks, types and takes a screenshot', async () => {
  const browser = await puppeteer.connect({ browserURL: session.devToolsUrl });
  const page = await browser.newPage();
  await page.goto(`${url}/form`);
  await page.type('#i', 'puppeteer');
  await page.click('#b');
  expect(await page.title()).toBe('clicked puppeteer');
  expect((await page.screenshot()).length).toBeGreaterThan(500);
  await page.close();
  await browser.disconnect();
});

test('chrome-remote-interface connects to a new page', async () => {
  const target = await CDP.New({ host: '127.0.0.1', port: session.interception.devToolsPort, url: `${url}/form` });
  const client = await CDP({ host: '127.0.0.1', port: session.interception.devToolsPort, target });
  await client.send('Page.enable');
  const loaded = client.Page.loadEventFired();
  await client.Page.navigate({ url: `${url}/form` });
  await loaded;
  await client.Runtime.evaluate({ expression: "i.value = 'cri'; b.click()" });
  const { result } = await client.Runtime.evaluate({ expression: 'document.title' });
  expect(result.value).toBe('clicked cri');
  expect((await client.send('Page.captureScreenshot')).data.length).toBeGreaterThan(500);
  await client.close();
});

test.each([
  ['Network.loadNetworkResource', { url: 'http://a.test', options: { disableCache: true, includeCredentials: true } }],
  ['Target.sendMessageToTarget', { message: '{}' }],
  ['Target.exposeDevToolsProtocol', { targetId: 'x' }],
  ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false }],
  ['Browser.crash', {}],
  ['Extensions.loadUnpacked', { path: '/tmp' }],
])('%s is refused with a reason, on the browser and on a page', async (method, params) => {
  const cdp = await agent();
  expect((await cdp.call(method, params)).error?.message).toMatch(/not available in a ClawBench run/);
  const page = await openPage(cdp, `${url}/form`);
  expect((await cdp.call(method, params, page.sessionId)).error?.message).toMatch(/not available/);
  const direct = await connectCdp(`${session.devToolsUrl.replace('http', 'ws')}/devtools/page/${page.targetId}`, {});
  expect((await direct.call(method, params)).error?.message).toMatch(/not available/);
  direct.close();
  cdp.close();
});

test('Browser.close disconnects only this client', async () => {
  const cdp = await agent();
  const closed = once(cdp.socket, 'close');
  expect(await cdp.call('Browser.close')).toMatchObject({ result: {} });
  await closed;
  expect((await fetch(`${session.devToolsUrl}/json/version`)).status).toBe(200);
});

test('a context with its own proxy gets the gateway', async () => {
  const cdp = await agent();
  const made = await cdp.call('Target.createBrowserContext', { proxyServer: 'direct://', proxyBypassList: '*' });
  const page = await openPage(cdp, `${url}/direct`, String(made.result?.['browserContextId']));
  expect(await page.evaluate('location.href')).toBe(`${url}/direct`);
  expect(site.at('/direct').length).toBe(1);
  cdp.close();
});

test('an agent’s own Fetch domain neither continues a match nor passes a rewritten request around the guard', async () => {
  const cdp = await agent();
  const page = await openPage(cdp, `${url}/form`);
  cdp.socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as {
      method?: string;
      sessionId?: string;
      params: { requestId: string; request: { url: string } };
    };
    if (message.method !== 'Fetch.requestPaused') return;
    const rewritten = message.params.request.url.includes('/rewrite') ? { url: `${url}/hit-rewritten` } : {};
    void cdp.call('Fetch.continueRequest', { requestId: message.params.requestId, ...rewritten }, message.sessionId);
  });
  for (const sessionId of [page.sessionId, undefined]) {
    await cdp.call('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, sessionId);
    const outcome = (path: string): Promise<unknown> =>
      page.evaluate(`fetch('${path}', { method: 'POST' }).then((r) => r.status, () => 'blocked')`);
    expect(await outcome('/hit-own')).toBe('blocked');
    expect(await outcome('/rewrite-me')).toBe('blocked');
    expect(await outcome('/miss')).toBe(200);
  }
  expect(site.at('/hit')).toEqual([]);
  expect(session.of('blocked').filter(({ url: blockedUrl }) => blockedUrl.includes('/hit-rewritten'))).toHaveLength(2);
  cdp.close();
});

test('pages, rebound names, binary frames and junk are refused', async () => {
  const refused = async (headers: Record<string, string>): Promise<number> => {
    const socket = new WebSocket(`${session.devToolsUrl.replace('http', 'ws')}/devtools/browser/x`, { headers });
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    return response.statusCode;
  };
  expect(await refused({ origin: 'https://shop.test' })).toBe(403);
  expect(await refused({ host: 'rebound.test' })).toBe(403);
  expect((await fetch(`${session.devToolsUrl}/json/list`, { headers: { origin: 'null' } })).status).toBe(403);
  expect((await fetch(`${session.devToolsUrl}/devtools/inspector.html`)).status).toBe(404);
  const cdp = await agent();
  const answer = once(cdp.socket, 'message');
  cdp.socket.send('junk');
  expect(String((await answer)[0])).toContain('-32600');
  const closed = once(cdp.socket, 'close');
  cdp.socket.send(Buffer.from('{"id":1,"method":"Browser.getVersion"}'));
  expect((await closed)[0]).toBe(1003);
});

test('the DevTools proxy and the gateway refuse everything before the run is armed', async () => {
  const early = await startInterceptionSession({ evalSchema: {}, arm: false });
  expect((await fetch(`${early.devToolsUrl}/json/version`)).status).toBe(503);
  await early.close();
});

test('an upload of 8 MB passes byte-identical and does not delay small requests', async () => {
  const cdp = await agent();
  const page = await openPage(cdp, `${url}/form`);
  const statuses = await page.evaluate(`(async () => {
    const big = fetch('/big', { method: 'POST', body: new Uint8Array(8 << 20).map((_, n) => n * 31) });
    const small = [];
    for (let n = 0; n < 20; n += 1) { const t = performance.now(); await fetch('/small?' + n); small.push(performance.now() - t); }
    return [(await big).status, small.length];
  })()`);
  expect(statuses).toEqual([200, 20]);
  const body = site.at('/big')[0]?.body ?? Buffer.alloc(0);
  expect(body.equals(Buffer.from(new Uint8Array(8 << 20).map((_, n) => n * 31)))).toBe(true);
  const observed = session.of('request').find(({ request }) => request.url === `${url}/big`)?.request;
  expect([observed?.bodyStatus, observed?.body?.length]).toEqual(['truncated', 1 << 20]);
  cdp.close();
});
