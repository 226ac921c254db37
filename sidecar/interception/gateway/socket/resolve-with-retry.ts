import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

const TRIES = 3;
/** A DNS server responds within milliseconds; a resolver that took longer has waited for one that did not. */
const TIMED_OUT_MS = 2_000;

/**
 * Resolves a name, and retries when the error may come from the resolver and not from the server. With a search list,
 * glibc reports "no such name" when the one query that has an answer was lost and a later one had none: seen once on a
 * busy cluster, after 15 s, for a Service that existed all the time. An agent must not fail because of it.
 */
export function resolveWithRetry(resolve: Resolve = lookup, now: () => number = Date.now): Resolve {
  const attempt = (tries: number, ...[hostname, options, callback]: Parameters<Resolve>): void => {
    const began = now();
    resolve(hostname, options, (error, found) => {
      if (tries > 1 && error !== null && isTransient(error, now() - began))
        attempt(tries - 1, hostname, options, callback);
      else callback(error, found);
    });
  };
  return (...call) => attempt(TRIES, ...call);
}

function isTransient({ code }: NodeJS.ErrnoException, tookMs: number): boolean {
  return code === 'EAI_AGAIN' || (code === 'ENOTFOUND' && tookMs >= TIMED_OUT_MS);
}
