import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANNELS, HELPER_PAGES, type Channel } from './channels.ts';
import { connectCdp, openPage } from './cdp-client.ts';
import { startFixtureSite, type FixtureSite } from './fixture-site.ts';
import { startSession, type Session } from './session.ts';

/**
 * Every channel twice, on one browser: a request that matches must not reach the site, a near-miss must, byte for byte.
 */
let site: FixtureSite;
let session: Session;

beforeAll(async () => {
  site = await startFixtureSite(HELPER_PAGES);
  const map = ['shop.test', 'other.test', 'third.test'].map((host) => ({ host, address: `127.0.0.1:${site.port}` }));
  session = await startSession({
    evalSchema: { url_pattern: 'shop\\.test/hit', method: '' },
    network: { map },
    keepOpen: true,
  });
});
afterAll(async () => {
  await session.close();
  await site.close();
});

const NAMED = CHANNELS.map((channel) => [channel.name, channel] as const);

test.each(NAMED)('a near-miss passes: %s', async (_name, channel) => {
  const path = `/miss-${slug(channel)}`;
  await send(channel, path);
  await expect.poll(() => site.at(path).length, { timeout: 10_000 }).toBeGreaterThan(0);
  const [arrived] = site.at(path);
  expect(arrived?.host).toBe('shop.test');
  if (channel.body !== undefined) expect(arrived?.body.toString('hex')).toBe(bytes(channel.body).toString('hex'));
  expect(session.of('blocked').filter(({ url }) => url.includes(path))).toEqual([]);
});

test.each(NAMED)('a match is blocked: %s', async (_name, channel) => {
  const path = `/hit-${slug(channel)}`;
  await send(channel, path);
  const event = await session.until((told) => told.type === 'blocked' && told.url.includes(path));
  expect(event).toMatchObject({ reason: channel.matched === 'intercepted' ? 'after-match' : channel.matched });
  await sleep(100);
  expect(site.at(path)).toEqual([]);
  if (channel.matched !== 'intercepted') return;
  const request = session.of('request').find((told) => told.request.url === `https://shop.test${path}`)?.request;
  expect(request).toBeDefined();
  if (channel.body === undefined) return;
  expect(request?.bodyStatus).toBe('complete');
  expect(Buffer.from(request?.body ?? []).toString('hex')).toBe(bytes(channel.body).toString('hex'));
});

async function send(channel: Channel, path: string): Promise<void> {
  const cdp = await connectCdp(session.interception.evidenceEndpoint());
  const page = await openPage(cdp, 'https://shop.test/start');
  await Promise.race([page.evaluate(channel.script(`https://shop.test${path}`)), sleep(1_000)]);
  cdp.close();
}

function slug(channel: Channel): string {
  return channel.name.replaceAll(/[^a-z0-9]+/gi, '-');
}

/** Text is UTF-8 on the wire; the one binary body is written as its bytes. */
function bytes(body: string): Buffer {
  return Buffer.from(body, body.startsWith('\x00') ? 'latin1' : 'utf8');
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
