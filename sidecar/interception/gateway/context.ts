import type { Logger } from 'pino';
import type { Target } from '../../../benchmark/request/predicate.ts';
import type { InterceptionEvent } from '../../contracts.ts';
import type { BodyClearedRequests } from '../guard/body-cleared-requests.ts';
import type { PhaseState } from '../phase.ts';
import type { CertificateAuthority } from './tunnel/certificates.ts';
import type { RouteRules } from './policy/route.ts';
import type { WebSocketRule } from './policy/websocket-rule.ts';
import type { Traffic } from './traffic.ts';

/** What the gateway's parts share. */
export interface GatewayContext {
  readonly phase: PhaseState;
  readonly target: Target;
  /** Requests that the guard saw whole and let go although their head fits. */
  readonly released: Pick<BodyClearedRequests, 'has'>;
  readonly rules: RouteRules;
  readonly socketRule: WebSocketRule;
  readonly authority: CertificateAuthority;
  readonly traffic: Traffic;
  /** Ports of this process: nobody reaches them through the gateway, but for the answer page. Grows as they listen. */
  readonly ownPorts: Set<number>;
  /** A request arrived while the gateway was closed (the self-test looks for its own here). */
  readonly turnedAway: (url: string) => void;
  readonly emit: (event: InterceptionEvent) => void;
  readonly log: Logger;
}

/** Tells that something did not leave. */
export function reportBlocked(
  context: GatewayContext,
  reason: 'passive' | 'socket' | 'local',
  request: { readonly url: string; readonly method: string },
): void {
  context.emit({ type: 'blocked', at: Date.now(), reason, url: request.url, method: request.method });
}
