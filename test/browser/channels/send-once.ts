import type { InterceptionEvent } from '../../../sidecar/contracts.ts';
import type { InterceptionSession } from '../interception/session.ts';
import { pauseFor, withBench } from './channel-driver.ts';
import type { Channel } from './channel.ts';
import type { ArrivedAtChannelSite, ChannelSite } from './site.ts';

/** A task whose target is `/token-hit…` of the shop; `/token-miss…` is the near-miss. */
export function targetOf(method: 'GET' | 'POST'): { url_pattern: string; method: string } {
  return { url_pattern: '127\\.0\\.0\\.1:\\d+/token-hit', method };
}

export interface Passage {
  /** What the site saw of it. */
  readonly arrived: readonly ArrivedAtChannelSite[];
  /** What the guard and the gateway said of it. */
  readonly events: readonly InterceptionEvent[];
  readonly token: string;
}

let count = 0;

/** Sends once through a channel, and waits until it arrived, was blocked, or its time is over. */
export async function send(
  session: InterceptionSession,
  site: ChannelSite,
  channel: Channel,
  kind: 'hit' | 'miss',
): Promise<Passage> {
  const token = `token-${kind}-${(count += 1)}`;
  const origin = kind === 'miss' && channel.missElsewhere === true ? site.other : site.shop;
  const url = `${origin}/${token}`;
  // Spellings hide the token's first letters, sockets in a tunnel all of it.
  const mark = token.slice(3);
  const named = (text: string): boolean => text.split('?', 1)[0]?.includes(mark) === true;
  const concerns = (event: InterceptionEvent): boolean =>
    (event.type === 'blocked' && (named(event.url) || event.reason === 'socket')) ||
    (event.type === 'request' && named(event.request.url));
  const from = session.events.length;
  const events = (): InterceptionEvent[] => session.events.slice(from).filter(concerns);
  const enough = (): boolean =>
    kind === 'miss' ? site.with(mark).length > 0 : events().some(({ type }) => type === 'blocked');
  await withBench(session, site, async (bench) => {
    if (channel.drive !== undefined) await channel.drive(bench, url);
    else await bench.evaluate(channel.script?.(url, site) ?? '');
    // A way that is shut has nothing to wait for: it gets the time in which an open one would have sent.
    const end = Date.now() + (channel.matched === 'shut' ? (channel.takesMs ?? 800) : 6_000);
    while (Date.now() < end && !enough()) await pauseFor(20);
    // A second copy of the same request would come at once.
    await pauseFor(60);
  });
  return { arrived: site.with(mark), events: events(), token };
}
