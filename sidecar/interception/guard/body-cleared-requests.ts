import { hash } from 'node:crypto';

/**
 * Requests whose head fits the target and whose body did not: let go by the guard, and so expected at the gateway. What
 * arrives there with a head that fits and is not among these was never paused: an escape.
 */
export interface BodyClearedRequests {
  add(request: Head): void;
  has(request: Head): boolean;
}

interface Head {
  readonly url: string;
  readonly method: string;
}

/** Not counted, since a browser sends a request again when a kept-alive connection died under it. */
const MAX_RELEASED = 10_000;

export function createBodyClearedRequests(): BodyClearedRequests {
  const seen = new Set<string>();
  return {
    add: (request) => {
      seen.add(keyOf(request));
      const [oldest] = seen.size > MAX_RELEASED ? seen : [];
      if (oldest !== undefined) seen.delete(oldest);
    },
    has: (request) => seen.has(keyOf(request)),
  };
}

/**
 * The gateway knows no user info and no fragment, and a standard port is left out. Hashed: an address may have two
 * megabytes, and a page makes up as many as it likes.
 */
function keyOf({ url, method }: Head): string {
  return hash('sha256', `${method} ${addressOf(url)}`, 'base64');
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search}`;
}
