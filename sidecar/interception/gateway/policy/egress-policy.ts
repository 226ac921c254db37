import { reportBlocked, type GatewayContext } from '../context.ts';
import { routeTo, type Destination, type EgressRoute } from './route.ts';

/** The origin of a request: named by an absolute-form target, or the one whose TLS is terminated here. */
export interface Origin extends Destination {
  readonly scheme: 'http' | 'https';
}

/** A request that the gateway can read: in absolute form, or in TLS that is terminated here. */
export interface GatewayRequest extends Origin {
  readonly method: string;
  /** Request target in origin form, exactly as sent. */
  readonly path: string;
}

/** The destination of an outbound connection, and how it may be reached. */
export interface OutboundOptions extends Destination {
  readonly allowPrivate: boolean;
  /** Ports of this process: not reachable through the gateway, whatever the run allows. */
  readonly ownPorts: ReadonlySet<number>;
  /** Connect with TLS. */
  readonly tls?: TlsChoice;
}

export interface TlsChoice {
  readonly serverName: string;
  /** Whether the certificate is verified. A self-hosted copy of a site has none to verify; the run itself mapped it. */
  readonly verified: boolean;
  /** ALPN protocols to offer; default only HTTP/1.1. */
  readonly protocols?: string[];
}

export type EgressDecision =
  | { readonly kind: 'refuse'; readonly message: string }
  | {
      readonly kind: 'forward';
      readonly to: OutboundOptions;
      /** Every request to this origin is sent to the same address, so the connection can be reused. */
      readonly reusable: boolean;
    };

/** Why a request must not leave, as a message for the page; null when it may. Reports an escape to the run. */
export function egressRefusal(context: GatewayContext, request: GatewayRequest): string | null {
  const { method } = request;
  const url = absoluteUrl(request);
  if (context.phase.current !== 'armed') {
    context.refusedUnarmed(url);
    return 'the run is not armed';
  }
  // The guard fails every match that it sees. One that arrives here was never paused: it must not leave, and a run in
  // which the browser can bypass the guard proves nothing.
  if (context.target.matchesHead({ url, method }) && !context.bodyCleared.has({ url, method })) {
    context.emit({ type: 'escape', url });
    return 'the request matches the task and was not seen by the guard';
  }
  // `bodyCleared.has` reads the guard's pending reports, which may contain a match.
  return context.phase.current === 'armed' ? null : 'the run is over';
}

/** To which address the run's rules send a request that may leave. */
export function decideEgress(context: GatewayContext, request: GatewayRequest): EgressDecision {
  const route = routeTo(context.routes, request, request);
  if (route.kind === 'refuse') {
    reportBlocked(context, 'local', { url: absoluteUrl(request), method: request.method });
    return { kind: 'refuse', message: route.message };
  }
  if (route.kind === 'answer-page') {
    const to = { host: '127.0.0.1', port: route.port, allowPrivate: true, ownPorts: new Set<number>() };
    return { kind: 'forward', to, reusable: false };
  }
  return { kind: 'forward', to: { ...connectOptionsFor(request, route), ownPorts: context.ownPorts }, reusable: true };
}

/** How to connect to a request's origin server, with TLS for https. Without a mapping it is the real one, whose certificate is verified. */
export function connectOptionsFor(
  origin: Origin,
  route: Extract<EgressRoute, { kind: 'direct' | 'mapped' }>,
): Omit<OutboundOptions, 'ownPorts'> {
  const tls = (verified: boolean): Pick<OutboundOptions, 'tls'> => ({ tls: { serverName: origin.host, verified } });
  if (route.kind === 'mapped')
    return { host: route.host, port: route.port, allowPrivate: true, ...(route.tls ? tls(false) : {}) };
  const secure = origin.scheme === 'https' ? tls(true) : {};
  return { host: origin.host, port: origin.port, allowPrivate: route.allowPrivate, ...secure };
}

export function absoluteUrl({ scheme, host, port, path }: Origin & { readonly path: string }): string {
  const standard = port === (scheme === 'http' ? 80 : 443);
  const name = host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}${standard ? '' : `:${port}`}${path}`;
}
