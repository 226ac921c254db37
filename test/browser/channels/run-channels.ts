import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInterceptionSession, type InterceptionSession } from '../interception/session.ts';
import { FAMILIES } from './channels.ts';
import type { Channel } from './channel.ts';
import { sendOnce, targetOf, type Passage } from './send-once.ts';
import { writeExtension } from './extension.ts';
import { startChannelSite, type ArrivedAtChannelSite, type ChannelSite } from './site.ts';

/**
 * Every channel of one method, on one browser: near-misses must arrive as they were sent, matches must not arrive. The
 * site alone decides what is a leak, and is checked again at the end.
 */
export function runChannels(method: 'GET' | 'POST'): void {
  let site: ChannelSite;
  let session: InterceptionSession;
  const dir = mkdtempSync(join(tmpdir(), 'cb-channels-'));

  beforeAll(async () => {
    site = await startChannelSite();
    // The gateway verifies the certificate of an origin server that is not mapped.
    setDefaultCACertificates([...getCACertificates(), site.certificate]);
    session = await startInterceptionSession({
      evalSchema: targetOf(method),
      network: { allow: ['127.0.0.1', '127.0.0.2', '127.0.0.3'].map((host) => `${host}:${site.port}`) },
      trust: [site.spki],
      flags: [`--load-extension=${writeExtension(dir)}`],
      keepOpen: true,
    });
  });
  afterAll(async () => {
    await session.close();
    await site.close();
    rmSync(dir, { recursive: true });
  });

  for (const [family, all] of Object.entries(FAMILIES)) {
    const named = all.filter((channel) => channel.method === method).map((channel) => [channel.name, channel] as const);
    if (named.length === 0) continue;
    describe(family, () => {
      test.each(named)('a near-miss: %s', async (_name, channel) => {
        const passage = await sendOnce(session, site, channel, 'miss');
        if (channel.matched === 'shut') expect(passage.arrived).toEqual([]);
        else expectWhole(channel, passage);
      });
      test.each(named)('a match: %s', async (_name, channel) => {
        expectBlocked(channel, await sendOnce(session, site, channel, 'hit'));
      });
    });
  }

  test('no match arrived late', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(leaks(site.with('oken-hit'))).toEqual([]);
    expect(session.of('lost')).toEqual([]);
    expect(session.of('escape')).toEqual([]);
  });
}

function expectWhole(channel: Channel, { arrived, events }: Passage): void {
  const [first] = arrived;
  expect(first, 'the near-miss did not arrive').toBeDefined();
  expect(events.filter(({ type }) => type === 'blocked')).toEqual([]);
  if (channel.matched === 'socket') return;
  const sent = arrived.find((request) => request.method === channel.method);
  expect(sent?.method).toBe(channel.method);
  const body = sent?.body.toString('latin1') ?? '';
  if (channel.body !== undefined) expect(body).toBe(channel.body);
  if (channel.unseen === true) return;
  const seen = events.flatMap((event) =>
    event.type === 'request' && event.request.method === channel.method ? [event.request] : [],
  );
  expect(seen.length).toBeGreaterThan(0);
  expect(Buffer.from(seen[0]?.body ?? []).toString('latin1')).toBe(body);
}

function expectBlocked(channel: Channel, { arrived, events }: Passage): void {
  expect(leaks(arrived)).toEqual([]);
  const reasons = events.flatMap((event) => (event.type === 'blocked' ? [event.reason] : []));
  if (channel.matched === 'shut') return;
  // The run stays open after its first match; later matches are reported as `after-match`.
  expect(reasons[0]).toBe(channel.matched === 'intercepted' ? 'after-match' : channel.matched);
}

/** A preflight changes nothing, and its method is not the task's. */
function leaks(arrived: readonly ArrivedAtChannelSite[]): string[] {
  return arrived.filter(({ method }) => method !== 'OPTIONS').map(({ method, path }) => `${method} ${path}`);
}
