import type { InterceptionEvent } from '../../../sidecar/contracts.ts';
import type { InterceptionSession } from '../interception/session.ts';
import { pauseFor, withChannelDriver } from './channel-driver.ts';
import type { Channel } from './channel.ts';
import type { ArrivedAtChannelSite, ChannelSite } from './site.ts';

/** A task whose target is `/token-hit…` of the shop; `/token-miss…` is the near-miss. */
export function targetOf(method: 'GET' | 'POST'): { url_pattern: string; method: string } {
  return { url_pattern: '127\\.0\\.0\\.1:\\d+/token-hit', method };
}

export interface Passage {
  /** The requests that arrived at the site. */
  readonly arrived: readonly ArrivedAtChannelSite[];
  /** The events of the guard and the gateway about it. */
  readonly events: readonly InterceptionEvent[];
  readonly token: string;
}

let count = 0;

/** Sends once through a channel, and waits until the request arrived, was blocked, or timed out. */
export async function sendOnce(
  session: InterceptionSession,
  site: ChannelSite,
  channel: Channel,
  kind: 'hit' | 'miss',
): Promise<Passage> {
  const token = `token-${kind}-${(count += 1)}`;
  const origin = kind === 'miss' && channel.missElsewhere === true ? site.other : site.shop;
  const url = `${origin}/${token}`;
  // Some spellings hide the token's first letters; sockets in a tunnel hide all of it.
  const mark = token.slice(3);
  const named = (text: string): boolean => text.split('?', 1)[0]?.includes(mark) === true;
  const concerns = (event: InterceptionEvent): boolean =>
    (event.type === 'blocked' && (named(event.url) || event.reason === 'socket')) ||
    (event.type === 'request' && named(event.request.url));
  const from = session.events.length;
  const events = (): InterceptionEvent[] => session.events.slice(from).filter(concerns);
  const enough = (): boolean =>
    kind === 'miss' ? site.with(mark).length > 0 : events().some(({ type }) => type === 'blocked');
  await withChannelDriver(session, site, async (driver) => {
    if (channel.drive !== undefined) await channel.drive(driver, url);
    else await driver.evaluate(channel.script?.(url, site) ?? '');
    // A closed channel has nothing to wait for: it gets the time in which an open one would have sent.
    const end = Date.now() + (channel.matched === 'shut' ? (channel.takesMs ?? 800) : 6_000);
    while (Date.now() < end && !enough()) await pauseFor(20);
    // A second copy of the request would arrive at once.
    await pauseFor(60);
  });
  return { arrived: site.with(mark), events: events(), token };
}
