import type { Target } from '../../../../benchmark/request/predicate.ts';
import { patternHosts } from './pattern-hosts.ts';

/**
 * Decides which WebSocket handshakes are refused: they are the one kind of request that the browser never pauses. A
 * handshake is a GET, so it can match a task whose method is GET (10 of 320) or any.
 */
export interface WebSocketRule {
  /** For a handshake that the gateway can read (plain, or in TLS that is terminated here): the predicate decides. */
  refusesUrl(url: string): boolean;
  /** For a handshake inside TLS, of which only the host is known. */
  refusesHost(host: string, port: number): boolean;
}

export function webSocketRule(target: Target): WebSocketRule {
  const schema = (target.schema ?? {}) as { method?: unknown; url_pattern?: unknown };
  const open = typeof schema.method !== 'string' || schema.method === '';
  if (!target.armed || !(open || schema.method === 'GET')) return { refusesUrl: () => false, refusesHost: () => false };
  const hosts = patternHosts(String(schema.url_pattern));
  return {
    // Patterns are written for http(s) URLs; ws(s) is another spelling of the same URL.
    refusesUrl: (url) =>
      [url, url.replace(/^ws/, 'http')].some((spelling) => target.matchesHead({ url: spelling, method: 'GET' })),
    refusesHost: hosts,
  };
}
