import type { Target } from '../../../../benchmark/request/predicate.ts';
import { patternHosts } from './pattern-hosts.ts';

/**
 * WebSocket handshakes are the one kind of request that the browser never pauses. A handshake is a GET, so it can be
 * the target of a task whose method is GET (10 of 320) or open.
 */
export interface WebSocketRule {
  /** A handshake that can be read (plain, or TLS that ends here): the predicate itself decides. */
  refusesUrl(url: string): boolean;
  /** A handshake inside TLS: only the host is known, and that must do. */
  refusesHost(host: string, port: number): boolean;
}

export function webSocketRule(target: Target): WebSocketRule {
  const schema = (target.schema ?? {}) as { method?: unknown; url_pattern?: unknown };
  const open = typeof schema.method !== 'string' || schema.method === '';
  if (!target.armed || !(open || schema.method === 'GET')) return { refusesUrl: () => false, refusesHost: () => false };
  const hosts = patternHosts(String(schema.url_pattern));
  return {
    // Patterns are written for http(s) addresses; the handshake's own scheme is another spelling of the same.
    refusesUrl: (url) =>
      [url, url.replace(/^ws/, 'http')].some((spelling) => target.matchesHead({ url: spelling, method: 'GET' })),
    refusesHost: hosts,
  };
}
