import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectCdp, openPage } from './cdp-client.ts';
import { killRecorder } from './kill.ts';
import { startFixtureSite, type FixtureSite } from './fixture-site.ts';
import { startInterceptionSession, type InterceptionSession, type InterceptionSessionOptions } from './session.ts';

/** Whatever dies, no request leaves: the failures that a test can cause. */
let site: FixtureSite;
beforeEach(async () => {
  site = await startFixtureSite();
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  await site.close();
});

/** Closed after the test, also when it fails. */
const sessions: InterceptionSession[] = [];
async function opened(options: InterceptionSessionOptions): Promise<InterceptionSession> {
  const session = await startInterceptionSession(options);
  sessions.push(session);
  return session;
}

const PAY = { url_pattern: '/pay', method: 'POST' };

test('SIGKILL of the recorder with requests held, also in a context that bypasses the proxy: none reaches the site', async () => {
  const result = await killRecorder({ kills: 10, requests: 10 });
  expect(result).toMatchObject({ held: 100, leaked: [] });
  expect(result.slowestEndMs).toBeLessThan(5_000);
});

test('a browser that dies is reported once, after everything is closed', async () => {
  const session = await opened({ evalSchema: PAY, network: { allow: [`127.0.0.1:${site.port}`] } });
  await session.browser.kill();
  expect(await session.until(({ type }) => type === 'lost')).toMatchObject({ reason: 'BrowserExited' });
  expect(session.interception.armed).toBe(false);
  expect((await fetch(`${session.devToolsUrl}/json/version`)).status).toBe(503);
  await session.close();
  expect(session.of('lost')).toHaveLength(1);
});

test('a second browser finds no pipe', async () => {
  const session = await opened({ evalSchema: PAY });
  expect(readdirSync(session.runDir).filter((name) => name.endsWith('.pipe'))).toEqual([]);
  await session.close();
});

test('a match closes connections and fails later requests; freeze refuses commands', async () => {
  const session = await opened({
    evalSchema: PAY,
    network: { map: [{ host: 'shop.test', address: `127.0.0.1:${site.port}` }] },
  });
  const cdp = await connectCdp(session.interception.evidenceEndpoint());
  const page = await openPage(cdp, 'https://shop.test/start');
  const version = (await (await fetch(`${session.devToolsUrl}/json/version`)).json()) as {
    webSocketDebuggerUrl: string;
  };
  const agent = await connectCdp(version.webSocketDebuggerUrl, {});
  await page.evaluate(
    "void fetch('/pay', { method: 'POST', body: 'a=1' }).catch(() => 1); void fetch('/pay', { method: 'POST' }).catch(() => 1)",
  );
  const event = await session.until(({ type }) => type === 'intercepted');
  expect(event).toMatchObject({
    request: { url: 'https://shop.test/pay', frameUrl: 'https://shop.test/start', bodyStatus: 'complete' },
  });
  expect(await page.evaluate("fetch('/after').then((r) => r.status, (e) => String(e))")).toMatch(/Failed to fetch/);
  expect(session.of('intercepted')).toHaveLength(1);
  expect(session.of('blocked').map(({ reason }) => reason)).toContain('after-match');
  session.interception.freeze();
  expect((await agent.call('Target.getTargets')).error?.message).toMatch(/run has ended/);
  await page.evaluate("void fetch('/frozen').catch(() => 1)");
  await session.until((event) => event.type === 'blocked' && event.reason === 'frozen');
  expect(site.arrived.map(({ path }) => path).filter((path) => !path.includes('favicon'))).toEqual(['/start']);
  await session.close();
  expect(session.of('lost')).toEqual([]);
});

test('a browser that does not use the gateway is not armed', async () => {
  await expect(opened({ evalSchema: PAY, proxy: false })).rejects.toMatchObject({
    name: 'InterceptionError',
    reason: 'SelfTestFailed',
    message: expect.stringContaining('--proxy-bypass-list') as string,
  });
});

test('files and the recorder’s own ports are unreachable; the answer page is reachable', async () => {
  const session = await opened({
    evalSchema: PAY,
    network: { allow: [`127.0.0.1:${site.port}`] },
    controlPort: site.port,
  });
  const cdp = await connectCdp(session.interception.evidenceEndpoint());
  const page = await openPage(cdp, 'about:blank');
  await page.navigate('view-source:file:///etc/hostname');
  await page.navigate('file:///etc/hostname');
  expect(await page.evaluate('document.body.innerText')).not.toContain(process.env['HOSTNAME'] ?? '\u0000');
  await page.navigate(`http://127.0.0.1:${site.port}/api/stop`);
  await page.navigate(`http://127.0.0.1:${site.port}/submit`);
  await page.navigate(`http://127.0.0.1:${session.interception.devToolsPort}/json/version`);
  await expect.poll(() => site.arrived.map(({ path }) => path)).toEqual(['/submit']);
  const blocked = session.of('blocked').filter(({ url }) => !url.endsWith('/favicon.ico'));
  expect(blocked.map(({ reason }) => reason)).toEqual(['file', 'file', 'local', 'local']);
  await session.close();
});
