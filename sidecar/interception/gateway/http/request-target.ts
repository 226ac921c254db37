import type { ParsedRequestHead } from './request-head.ts';
import type { Origin, GatewayRequest } from '../policy/egress-policy.ts';

/**
 * Reads which origin a request is for. The target (or the tunnel) names it, and the Host header must agree: an origin server
 * may use either, and it must read what was checked here.
 */
export type TargetReading =
  { readonly kind: 'request'; readonly request: GatewayRequest } | { readonly kind: 'refuse'; readonly why: string };

const NAME = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const ABSOLUTE = /^http:\/\/([^/?]*)([/?][^#]*)?$/i;
const ORIGIN_FORM = /^\/[^#]*$/;

/** @param tunnel the origin whose TLS is terminated here; null when each request names its origin. */
export function readRequestTarget(head: ParsedRequestHead, tunnel: Origin | null): TargetReading {
  if (tunnel !== null) {
    if (!ORIGIN_FORM.test(head.target)) return refuse('inside a tunnel the request target must be a path');
    return agreed(head, tunnel, head.target);
  }
  const [, authority, path = '/'] = ABSOLUTE.exec(head.target) ?? [];
  if (authority === undefined)
    return refuse('this is an HTTP forward proxy; the request target must be an absolute URL');
  const origin = readAuthority(authority, 'http');
  if (origin === null) return refuse('the host of the request is malformed');
  return agreed(head, origin, path.startsWith('/') ? path : `/${path}`, authority);
}

function agreed(head: ParsedRequestHead, origin: Origin, path: string, authority?: string): TargetReading {
  if (head.host !== authority) {
    const host = readAuthority(head.host, origin.scheme);
    if (host === null || normalizedName(host) !== normalizedName(origin) || host.port !== origin.port)
      return refuse('the request target and the Host header name different hosts');
  }
  const { scheme, host, port } = origin;
  return { kind: 'request', request: { scheme, host, port, method: head.method, path } };
}

function readAuthority(text: string, scheme: Origin['scheme']): Origin | null {
  const [, name, port = scheme === 'http' ? '80' : '443'] = NAME.exec(text) ?? [];
  if (name === undefined || Number(port) < 1 || Number(port) > 65_535) return null;
  return { scheme, host: name.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function normalizedName({ host }: Origin): string {
  return host.toLowerCase().replace(/^\[|\]$/g, '');
}

function refuse(why: string): TargetReading {
  return { kind: 'refuse', why };
}
