import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

const TRIES = 3;
/** A server that answers does so within milliseconds; a resolver waits seconds for one that does not. */
const WAITED_MS = 2_000;

/**
 * Resolves a name, and does so again where the answer may be the resolver's and not the server's. With a search list
 * glibc says "no such name" when the one question that has an answer was lost and a later one had none: seen once on a
 * busy cluster, after 15 s, for a Service that was there all the time. An agent must not fail for it.
 */
export function resolveWithRetry(resolve: Resolve = lookup, now: () => number = Date.now): Resolve {
  const ask = (tries: number, ...[hostname, options, callback]: Parameters<Resolve>): void => {
    const began = now();
    resolve(hostname, options, (error, found) => {
      if (tries > 1 && error !== null && mayPass(error, now() - began)) ask(tries - 1, hostname, options, callback);
      else callback(error, found);
    });
  };
  return (...call) => ask(TRIES, ...call);
}

function mayPass({ code }: NodeJS.ErrnoException, tookMs: number): boolean {
  return code === 'EAI_AGAIN' || (code === 'ENOTFOUND' && tookMs >= WAITED_MS);
}
