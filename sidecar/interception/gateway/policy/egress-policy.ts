import type { OutboundOptions } from '../socket/outbound-socket.ts';
import { reportBlocked, type GatewayContext } from '../context.ts';
import { routeTo, type Destination, type EgressRoute } from './route.ts';

/** Whose request it is: what an absolute-form target names, or the site for which TLS ended here. */
export interface Origin extends Destination {
  readonly scheme: 'http' | 'https';
}

/** Plain HTTP: absolute-form requests, and what comes out of the TLS of a mapped host. */
export interface GatewayRequest extends Origin {
  readonly method: string;
  /** Request target in origin form, exactly as sent. */
  readonly path: string;
}

export type EgressDecision =
  | { readonly kind: 'refuse'; readonly message: string }
  | {
      readonly kind: 'send';
      readonly to: OutboundOptions;
      /** Every request to this origin goes there, so that the connection can be used again. */
      readonly everyRequest: boolean;
    };

/** Whether a request may leave at all. Answers what to tell the page when not; the run is told here. */
export function egressRefusal(context: GatewayContext, plain: GatewayRequest): string | null {
  const { method } = plain;
  const url = absoluteUrl(plain);
  if (context.phase.current !== 'armed') {
    context.refusedUnarmed(url);
    return 'the run is not armed';
  }
  // The guard fails every match that it sees. One that comes here was never paused: it does not leave, and a run in
  // which the browser has a way around the guard proves nothing.
  if (context.target.matchesHead({ url, method }) && !context.bodyCleared.has({ url, method })) {
    context.emit({ type: 'escape', url });
    return 'the request matches the task and was not seen by the guard';
  }
  // To ask what was released takes over what the guard has told meanwhile: a match may be among it.
  return context.phase.current === 'armed' ? null : 'the run is over';
}

/** Where the run's rules send a request that may leave. */
export function decideEgress(context: GatewayContext, plain: GatewayRequest): EgressDecision {
  const route = routeTo(context.routes, plain, plain);
  if (route.kind === 'refuse') {
    reportBlocked(context, 'local', { url: absoluteUrl(plain), method: plain.method });
    return { kind: 'refuse', message: route.message };
  }
  if (route.kind === 'answer-page') {
    const to = { host: '127.0.0.1', port: route.port, allowPrivate: true, ownPorts: new Set<number>() };
    return { kind: 'send', to, everyRequest: false };
  }
  return { kind: 'send', to: { ...connectOptionsFor(plain, route), ownPorts: context.ownPorts }, everyRequest: true };
}

/** Where a request goes, with TLS where its site has it. What is not mapped is the real site: its certificate counts. */
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
