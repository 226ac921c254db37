import type { ChannelDriver } from './channel-driver.ts';

/** Origins of the test site: three sites to the browser, one server. The target is always on `shop`. */
export interface Where {
  readonly shop: string;
  readonly other: string;
  readonly third: string;
}

/**
 * One way in which a browser can be made to send a request. It is driven twice: to a URL that the task's pattern
 * matches, which must not arrive, and to a near-miss, which must arrive as it was sent.
 */
export interface Channel {
  readonly name: string;
  /** Method of the task, and of what is sent. */
  readonly method: 'GET' | 'POST';
  /**
   * What becomes of a match: the agent's commit, a load that nobody committed, a socket. `shut`: the whole way is
   * closed, so the near-miss must not arrive either.
   */
  readonly matched: 'intercepted' | 'passive' | 'socket' | 'shut';
  /** Evaluated in a page of the shop as if a person had just clicked; or driven from outside. */
  readonly script?: (url: string, where: Where) => string;
  readonly drive?: (bench: ChannelDriver, url: string) => Promise<unknown>;
  /** Body that must arrive, as latin1; default: whatever the guard saw must be what the site got. */
  readonly body?: string;
  /** The near-miss goes to another site, because the whole host is closed to this kind of request. */
  readonly missElsewhere?: true;
  /** The guard cannot have seen the request: nothing to compare with. */
  readonly unseen?: true;
  /** Milliseconds in which it would have been sent; default 800. */
  readonly takesMs?: number;
}

/** A body with what usually breaks: quotes, an escaped NUL, letters outside ASCII, signs that forms give a meaning. */
export const BODY = '{"café":"\\u0000 ü & = %41 + \\" 🛒"}';
/** The same as the bytes on the wire, in the form of {@link Channel.body}. */
export const BODY_BYTES = Buffer.from(BODY, 'utf8').toString('latin1');

/** A value as source text of a script. */
export function q(value: string): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Sends {@link BODY} without asking for permission across origins. */
export function post(url: string, more = ''): string {
  return `fetch(${q(url)}, { method: 'POST', mode: 'no-cors', body: ${q(BODY)}${more} })`;
}

/** Address of a page of the test site that runs a script; `runner.js` for workers. */
export function running(script: string, path = '/runner'): string {
  return `${path}?${encodeURIComponent(script)}`;
}
