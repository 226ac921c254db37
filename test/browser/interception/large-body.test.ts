import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCdp, openPage, type Page } from './cdp-client.ts';
import { startFixtureSite, type FixtureSite } from './fixture-site.ts';
import { startInterceptionSession, type InterceptionSession } from './session.ts';

/** A task with a body filter, and bodies of 8 MB: the whole body decides, and other requests do not wait long. */
let site: FixtureSite;
let session: InterceptionSession;
let page: Page;

beforeAll(async () => {
  site = await startFixtureSite();
  session = await startInterceptionSession({
    evalSchema: { url_pattern: '/pay', method: 'POST', body: { op: 'buy' } },
    network: { allow: [`127.0.0.1:${site.port}`] },
    keepOpen: true,
  });
  page = await openPage(await connectCdp(session.interception.evidenceEndpoint()), `http://127.0.0.1:${site.port}/`);
});
afterAll(async () => {
  await session.close();
  await site.close();
});

/** The deciding field is at the end. */
const upload = (op: string, wrap = 'body'): string => `(async () => {
  const rows = Array.from({ length: 60000 }, (_, n) => ({ id: n, price: n / 7, text: 'x'.repeat(90) }));
  const body = JSON.stringify({ rows, op: ${JSON.stringify(op)} });
  return fetch('/pay', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${wrap} }).then(() => body.length, () => 'blocked');
})()`;

test('a body that does not match arrives whole, one that matches is blocked, and the event loop is blocked only briefly', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const length = (await page.evaluate(upload('look'))) as number;
  expect(length).toBeGreaterThan(7e6);
  expect(site.at('/pay')[0]?.body.length).toBe(length);
  expect(await page.evaluate(upload('buy'))).toBe('blocked');
  delay.disable();
  expect(site.at('/pay')).toHaveLength(1);
  // Decoding and parsing take about 100 ms; a loaded machine gets five times that.
  expect(delay.max / 1e6).toBeLessThan(700);
});

test('the same inside a Blob', async () => {
  expect(await page.evaluate(upload('buy', 'new Blob([body])'))).toBe('blocked');
});
