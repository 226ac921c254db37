import type { ParsedRequestHead } from './request-head.ts';
import type { Origin, GatewayRequest } from '../policy/egress-policy.ts';

/**
 * Whom a request is for. The target (or the tunnel) says so, and the Host header has to agree: a site is free to go by
 * either, and what was judged must be what it reads.
 */
export type TargetReading =
  { readonly kind: 'plain'; readonly plain: GatewayRequest } | { readonly kind: 'refuse'; readonly why: string };

const NAME = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const ABSOLUTE = /^http:\/\/([^/?]*)([/?][^#]*)?$/i;
const ORIGIN_FORM = /^\/[^#]*$/;

/** @param tunnel the site for which TLS ended here; null where requests name theirs. */
export function readTarget(head: ParsedRequestHead, tunnel: Origin | null): TargetReading {
  if (tunnel !== null) {
    if (!ORIGIN_FORM.test(head.target)) return refuse('inside a tunnel a request has a path alone');
    return agreed(head, tunnel, head.target);
  }
  const [, authority, path = '/'] = ABSOLUTE.exec(head.target) ?? [];
  if (authority === undefined) return refuse('this is an HTTP forward proxy');
  const origin = readAuthority(authority, 'http');
  if (origin === null) return refuse('the host of the request cannot be read');
  return agreed(head, origin, path.startsWith('/') ? path : `/${path}`, authority);
}

function agreed(head: ParsedRequestHead, origin: Origin, path: string, authority?: string): TargetReading {
  if (head.host !== authority) {
    const host = readAuthority(head.host, origin.scheme);
    if (host === null || plainName(host) !== plainName(origin) || host.port !== origin.port)
      return refuse('the request names two hosts');
  }
  const { scheme, host, port } = origin;
  return { kind: 'plain', plain: { scheme, host, port, method: head.method, path } };
}

function readAuthority(text: string, scheme: Origin['scheme']): Origin | null {
  const [, name, port = scheme === 'http' ? '80' : '443'] = NAME.exec(text) ?? [];
  if (name === undefined || Number(port) < 1 || Number(port) > 65_535) return null;
  return { scheme, host: name.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function plainName({ host }: Origin): string {
  return host.toLowerCase().replace(/^\[|\]$/g, '');
}

function refuse(why: string): TargetReading {
  return { kind: 'refuse', why };
}
