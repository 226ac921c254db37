import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCdp, openPage, type Page } from './cdp-client.ts';
import { startFixtureSite, type FixtureSite } from './fixture-site.ts';
import { startArmedRecorder } from './start-recorder.ts';
import { startInterceptionSession, type InterceptionSession } from './session.ts';

/** Crashes and stalls that a run survives, and that must not open anything: a match is blocked before and after. */
let site: FixtureSite;
let session: InterceptionSession;
let origin: string;

const TARGET = { url_pattern: '/hit', method: 'POST' };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const sendTo = (path: string): string =>
  `fetch(${JSON.stringify(path)}, { method: 'POST', body: 'x' }).then(() => 'sent', () => 'blocked')`;

beforeAll(async () => {
  site = await startFixtureSite();
  origin = `http://127.0.0.1:${site.port}`;
  session = await startInterceptionSession({
    evalSchema: TARGET,
    network: { allow: [`127.0.0.1:${site.port}`] },
    keepOpen: true,
  });
});
afterAll(async () => {
  await session.close();
  await site.close();
});

async function freshPage(): Promise<Page> {
  return openPage(await connectCdp(session.interception.evidenceEndpoint()), `${origin}/start`);
}

/** Checks in a new tab that a match is blocked and a near-miss passes. */
async function stillGuards(name: string): Promise<void> {
  const page = await freshPage();
  expect(await page.evaluate(sendTo(`/hit-${name}`))).toBe('blocked');
  expect(await page.evaluate(sendTo(`/miss-${name}`))).toBe('sent');
  expect(site.at('/hit')).toEqual([]);
  expect(site.at(`/miss-${name}`)).toHaveLength(1);
  expect(session.of('lost')).toEqual([]);
}

test('a renderer that crashes', async () => {
  const cdp = await connectCdp(session.interception.evidenceEndpoint());
  const page = await openPage(cdp, `${origin}/start`);
  void cdp.call('Page.crash', {}, page.sessionId);
  await sleep(300);
  await stillGuards('renderer');
  cdp.close();
});

test('a killed network service comes back under the same guard', async () => {
  const page = await freshPage();
  expect(await page.evaluate(sendTo('/miss-before'))).toBe('sent');
  const pid = await networkService(session.runDir);
  process.kill(pid, 'SIGKILL');
  // At once, on the existing page: the new network service must be guarded from the start.
  for (let tries = 0; tries < 20; tries += 1) expect(await page.evaluate(sendTo('/hit-at-once'))).toBe('blocked');
  await expect.poll(() => page.evaluate(sendTo('/miss-again')), { timeout: 15_000 }).toBe('sent');
  expect(await page.evaluate(sendTo('/hit-old-page'))).toBe('blocked');
  await stillGuards('network');
  expect(await networkService(session.runDir)).not.toBe(pid);
});

test('a DevTools connection that is reset', async () => {
  const cdp = await connectCdp(session.interception.evidenceEndpoint());
  const page = await openPage(cdp, `${origin}/start`);
  const sent = page.evaluate(sendTo('/hit-reset'));
  cdp.socket.terminate();
  await sent;
  await stillGuards('reset');
});

test('a recorder whose event loop is blocked for a second', async () => {
  const page = await freshPage();
  const sent = page.evaluate(sendTo('/hit-blocked-loop'));
  await sleep(5);
  const end = Date.now() + 1_000;
  while (Date.now() < end);
  expect(await sent).toBe('blocked');
  await stillGuards('loop');
});

test('a stopped recorder holds requests, and decides about them when it continues', async () => {
  const { recorder, endpoint, end } = await startArmedRecorder(site.port, TARGET);
  try {
    const page = await openPage(await connectCdp(endpoint), `${origin}/start`);
    recorder.kill('SIGSTOP');
    const sent = page.evaluate(sendTo('/hit-stopped'));
    await sleep(1_500);
    expect(site.at('/hit-stopped')).toEqual([]);
    recorder.kill('SIGCONT');
    expect(await sent).toBe('blocked');
    expect(site.at('/hit-stopped')).toEqual([]);
  } finally {
    await end();
  }
});

test('evidence that cannot be written (a full disk) ends the run closed', async () => {
  const full = await startInterceptionSession({
    evalSchema: TARGET,
    network: { allow: [`127.0.0.1:${site.port}`] },
    onEvent: (event) => {
      if (event.type === 'request' && event.request.url.includes('/full'))
        throw new Error('ENOSPC: no space left on device');
    },
  });
  try {
    const page = await openPage(await connectCdp(full.interception.evidenceEndpoint()), `${origin}/start`);
    void page.evaluate(`${sendTo('/full')}; ${sendTo('/hit-full')}`);
    expect(await full.until(({ type }) => type === 'lost')).toMatchObject({ reason: 'InternalError' });
    await sleep(200);
    expect(full.interception.armed).toBe(false);
    expect(site.at('/hit-full')).toEqual([]);
  } finally {
    await full.close();
  }
});

/** Process id of the browser's network service. */
async function networkService(runDir: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    // Of this browser: every process has the profile in its arguments, only this one has the sub-type.
    if (command.includes('network.mojom.NetworkService') && (await belongsTo(Number(name), runDir)))
      return Number(name);
  }
  throw new Error('no network service process');
}

async function belongsTo(pid: number, runDir: string): Promise<boolean> {
  for (let at = pid; at > 1;) {
    const command = await readFile(`/proc/${at}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(runDir)) return true;
    const status = await readFile(`/proc/${at}/status`, 'utf8').catch(() => '');
    at = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return false;
}
