import { hash } from 'node:crypto';

/**
 * Requests that match the target by URL and method but not by body: the guard let them continue, so the gateway expects
 * them. A request that matches by URL and method and is not among these was never paused: an escape.
 */
export interface BodyClearedRequests {
  add(request: UrlAndMethod): void;
  has(request: UrlAndMethod): boolean;
}

interface UrlAndMethod {
  readonly url: string;
  readonly method: string;
}

/** Entries are not removed by use, since a browser sends a request again when its kept-alive connection breaks. */
const MAX_REQUESTS = 10_000;

export function createBodyClearedRequests(): BodyClearedRequests {
  const seen = new Set<string>();
  return {
    add: (request) => {
      seen.add(keyOf(request));
      const [oldest] = seen.size > MAX_REQUESTS ? seen : [];
      if (oldest !== undefined) seen.delete(oldest);
    },
    has: (request) => seen.has(keyOf(request)),
  };
}

/**
 * The gateway sees no user info, no fragment and no default port. Hashed, because a URL may have two megabytes and a page
 * can make up any number of them.
 */
function keyOf({ url, method }: UrlAndMethod): string {
  return hash('sha256', `${method} ${addressOf(url)}`, 'base64');
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search}`;
}
