import type { ChannelDriver } from './channel-driver.ts';
import type { ChannelOrigins } from './site.ts';

/**
 * One way in which a browser can be made to send a request. It is driven twice: to a URL that the task's pattern
 * matches, which must not arrive, and to a near-miss, which must arrive as it was sent.
 */
export interface Channel {
  readonly name: string;
  /** Method of the task, and of what is sent. */
  readonly method: 'GET' | 'POST';
  /**
   * How a match is reported: as the agent's commit, as a passive load, or as a socket. `shut`: the channel is closed
   * altogether, so the near-miss must not arrive either.
   */
  readonly matched: 'intercepted' | 'passive' | 'socket' | 'shut';
  /** Evaluated in a page of the shop with user activation; `drive` drives it from outside instead. */
  readonly script?: (url: string, origins: ChannelOrigins) => string;
  readonly drive?: (driver: ChannelDriver, url: string) => Promise<unknown>;
  /** The body that must arrive, as latin1; by default, the site must receive what the guard saw. */
  readonly body?: string;
  /** The near-miss goes to another site, because this kind of request is refused for the whole host. */
  readonly missElsewhere?: true;
  /** The guard cannot see the request, so there is nothing to compare. */
  readonly unseen?: true;
  /** The time in which it would have been sent, in milliseconds; default 800. */
  readonly takesMs?: number;
}

/** A body with what usually breaks: quotes, an escaped NUL, non-ASCII letters, and characters with a meaning in forms. */
export const BODY = '{"café":"\\u0000 ü & = %41 + \\" 🛒"}';
/** The same as the bytes on the wire, in the form of {@link Channel.body}. */
export const BODY_BYTES = Buffer.from(BODY, 'utf8').toString('latin1');

/** A value as JavaScript source text. */
export function q(value: string): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Sends {@link BODY} without asking for permission across origins. */
export function post(url: string, more = ''): string {
  return `fetch(${q(url)}, { method: 'POST', mode: 'no-cors', body: ${q(BODY)}${more} })`;
}

/** The URL of a page of the test site that runs a script; `runner.js` for workers. */
export function running(script: string, path = '/runner'): string {
  return `${path}?${encodeURIComponent(script)}`;
}
