import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCdp, openPage, type CdpClient, type Reply } from './cdp-client.ts';
import { startFixtureSite, type FixtureSite } from './fixture-site.ts';
import { startInterceptionSession, type InterceptionSession } from './session.ts';

/** A malicious DevTools client of the harness: whatever it does through the DevTools proxy, a match does not leave. */
let site: FixtureSite;
let session: InterceptionSession;
let url: string;

const FORM = `<!doctype html><title>form</title><input id=i><button id=b onclick="document.title = 'clicked ' + i.value">go</button>`;

beforeAll(async () => {
  site = await startFixtureSite({ '/form': FORM });
  url = `http://127.0.0.1:${site.port}`;
  session = await startInterceptionSession({
    evalSchema: { url_pattern: '/hit', method: 'POST' },
    network: { allow: [`127.0.0.1:${site.port}`] },
    keepOpen: true,
  });
});
afterAll(async () => {
  await session.close();
  await site.close();
});

async function agent(): Promise<CdpClient> {
  const version = (await (await fetch(`${session.devToolsUrl}/json/version`)).json()) as {
    webSocketDebuggerUrl: string;
  };
  return connectCdp(version.webSocketDebuggerUrl, {});
}

const send = (path: string): string =>
  `fetch(${JSON.stringify(`${url}${path}`)}, { method: 'POST', mode: 'no-cors', body: 'x' }).then(() => 'sent', () => 'blocked')`;

async function stillGuards(name: string): Promise<void> {
  const cdp = await agent();
  const page = await openPage(cdp, `${url}/form`);
  expect(await page.evaluate(send(`/hit-${name}`))).toBe('blocked');
  expect(await page.evaluate(send(`/miss-${name}`))).toBe('sent');
  expect(site.at('/hit')).toEqual([]);
  expect(session.of('lost')).toEqual([]);
  await cdp.call('Target.closeTarget', { targetId: page.targetId });
  cdp.close();
}

/** Continues every pause of its own, on every session. */
function releaseAll(cdp: CdpClient): void {
  cdp.socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as {
      method?: string;
      sessionId?: string;
      params: { requestId: string };
    };
    if (message.method === 'Fetch.requestPaused')
      void cdp.call('Fetch.continueRequest', { requestId: message.params.requestId }, message.sessionId);
  });
}

test('its own Fetch domain, in any order, on browser, page and a second browser session', async () => {
  const cdp = await agent();
  releaseAll(cdp);
  const page = await openPage(cdp, `${url}/form`);
  const browser = await cdp.call('Target.attachToBrowserTarget');
  const second = browser.result?.['sessionId'] as string | undefined;
  const patterns = [{ urlPattern: '*' }];
  const steps: (() => Promise<Reply>)[] = [undefined, page.sessionId, second].flatMap((on) => [
    () => cdp.call('Fetch.disable', {}, on),
    () => cdp.call('Fetch.enable', { patterns }, on),
    () => cdp.call('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Response' }] }, on),
    () => cdp.call('Fetch.disable', {}, on),
    () => cdp.call('Network.setRequestInterception', { patterns }, on),
    () => cdp.call('Network.setBypassServiceWorker', { bypass: true }, on),
  ]);
  for (const [index, step] of [...steps, ...steps.toReversed()].entries()) {
    await step();
    expect(await page.evaluate(send(`/hit-order-${index}`))).toBe('blocked');
  }
  cdp.close();
  await stillGuards('order');
});

test('it disconnects in the middle of its own pauses', async () => {
  const cdp = await agent();
  const page = await openPage(cdp, `${url}/form`);
  await cdp.call('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  void page.evaluate(send('/hit-abandoned'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  cdp.socket.terminate();
  await stillGuards('abandoned');
});

test('it answers a pause of the guard', async () => {
  const cdp = await agent();
  const page = await openPage(cdp, `${url}/form`);
  // Ids are sequential, so a client can guess them.
  const guesses = Array.from({ length: 300 }, (_, n) => `interception-job-${n}.0`);
  const sent = page.evaluate(send('/hit-guessed'));
  await Promise.all(guesses.map((requestId) => cdp.call('Fetch.continueRequest', { requestId })));
  expect(await sent).toBe('blocked');
  cdp.close();
  await stillGuards('guessed');
});

/** The browser would refuse some of these itself; only the proxy's message shows that the command never reached it. */
test.each([
  ['Target.attachToTarget', { targetId: 'x', flatten: false }],
  ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false }],
  ['Target.setRemoteLocations', { locations: [{ host: '127.0.0.1', port: 9222 }] }],
  ['Target.sendMessageToTarget', { message: '{"id":1,"method":"Fetch.disable"}', sessionId: 'x' }],
  ['Target.exposeDevToolsProtocol', { targetId: 'x', bindingName: 'cdp' }],
  ['Network.loadNetworkResource', { url: 'http://127.0.0.1/hit', options: {} }],
  ['Browser.crash', {}],
  ['Browser.crashGpuProcess', {}],
  ['Tethering.bind', { port: 9333 }],
  ['Extensions.loadUnpacked', { path: '/tmp' }],
])('%s is refused by the DevTools proxy', async (method, params) => {
  const cdp = await agent();
  const { error } = await cdp.call(method, params);
  expect(error?.message).toContain(`${method} is not available in a ClawBench run`);
  cdp.close();
});

test('Browser.close disconnects only the client', async () => {
  const cdp = await agent();
  const closed = once(cdp.socket, 'close');
  expect((await cdp.call('Browser.close')).result).toEqual({});
  await closed;
  await stillGuards('closed');
});

test.each(['Browser', 'Page'])(
  '%s.setDownloadBehavior is answered, and no download lands where it says',
  async (domain) => {
    const downloadPath = mkdtempSync(join(tmpdir(), 'download-'));
    const cdp = await agent();
    const page = await openPage(cdp, `${url}/form`);
    const on = domain === 'Page' ? page.sessionId : undefined;
    expect((await cdp.call(`${domain}.setDownloadBehavior`, { behavior: 'allow', downloadPath }, on)).result).toEqual(
      {},
    );
    await page.evaluate(DOWNLOAD);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(readdirSync(downloadPath)).toEqual([]);
    await cdp.call('Target.closeTarget', { targetId: page.targetId });
    cdp.close();
  },
);

const DOWNLOAD = `(() => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'taken.txt'; document.body.append(a); a.click(); })()`;

test('other spellings of a refused command are not commands', async () => {
  const cdp = await agent();
  for (const text of [
    '{"id":1,"method":"Fetch.enable","method":"Target.exposeDevToolsProtocol","params":{"targetId":"x"}}',
    '{"id":1,"method":"Target.\\u0065xposeDevToolsProtocol","params":{"targetId":"x"}}',
    '{"id":1,"method":"network.loadNetworkResource"}',
    '{"id":"1","method":"Browser.close"}',
    '[{"id":1,"method":"Browser.close"}]',
  ]) {
    const answer = new Promise((resolve) => cdp.socket.once('message', (data) => resolve((data as Buffer).toString())));
    cdp.socket.send(text);
    expect(await answer).toContain('"error"');
  }
  cdp.close();
  await stillGuards('spelled');
});

test('a page reaches neither the browser’s DevTools port, nor the DevTools proxy, nor the control API', async () => {
  const cdp = await agent();
  const page = await openPage(cdp, `${url}/form`);
  const port = session.interception.devToolsPort;
  for (const to of [
    'http://127.0.0.1:9222/json/version',
    `http://127.0.0.1:${port}/json/version`,
    'http://localhost:7878/api/stop',
    'http://[::1]:7878/api/stop',
    'http://127.1:7878/api/agent/exited',
  ])
    await page.evaluate(
      `fetch(${JSON.stringify(to)}, { mode: 'no-cors', method: 'POST' }).then((r) => r.text(), () => '')`,
    );
  for (const to of [`ws://127.0.0.1:9222/devtools/browser/x`, `ws://127.0.0.1:${port}/devtools/browser/x`])
    expect(
      await page.evaluate(
        `new Promise((done) => { const s = new WebSocket(${JSON.stringify(to)}); s.onopen = () => done('open'); s.onerror = () => done('refused'); })`,
      ),
    ).toBe('refused');
  expect(session.of('blocked').filter(({ reason }) => reason === 'local').length).toBeGreaterThanOrEqual(7);
  cdp.close();
});

const PYTHON = process.env['CLAWBENCH_CDP_USE_PYTHON'] ?? '';
if (!existsSync(PYTHON))
  console.log('notice: CLAWBENCH_CDP_USE_PYTHON names no Python with the package cdp-use; its smoke test is left out');
test.runIf(existsSync(PYTHON))('browser-use’s client works through the DevTools proxy', async () => {
  const script = join(import.meta.dirname, 'cdp-use-smoke.py');
  const { stdout } = await promisify(execFile)(PYTHON, [script, session.devToolsUrl, `${url}/form`]);
  expect(stdout.trim().split('\n')).toEqual(['clicked cdp-use', 'True', 'blocked']);
});

test('it closes every tab, its own and ours, and nothing opens', async () => {
  const cdp = await agent();
  const { result } = await cdp.call('Target.getTargets');
  for (const { targetId } of (result?.['targetInfos'] ?? []) as { targetId: string }[])
    await Promise.race([
      cdp.call('Target.closeTarget', { targetId }),
      new Promise((resolve) => setTimeout(resolve, 500)),
    ]);
  // Either the browser runs and is guarded, or it has exited and the run is closed.
  await new Promise((resolve) => setTimeout(resolve, 500));
  if (session.of('lost').length === 0) await stillGuards('no-tabs');
  else expect(session.interception.armed).toBe(false);
  expect(site.at('/hit')).toEqual([]);
});
