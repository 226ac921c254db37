import type { Logger } from 'pino';
import type { Target } from '../../../benchmark/request/predicate.ts';
import type { InterceptionEvent } from '../../contracts.ts';
import type { BodyClearedRequests } from '../guard/body-cleared-requests.ts';
import type { PhaseState } from '../phase.ts';
import type { CertificateAuthority } from './tunnel/certificates.ts';
import type { RouteRules } from './policy/route.ts';
import type { WebSocketRule } from './policy/websocket-rule.ts';
import type { Traffic } from './traffic.ts';

/** What the parts of the gateway share. */
export interface GatewayContext {
  readonly phase: PhaseState;
  readonly target: Target;
  /** Requests that match the target by URL and method, and that the guard continued because of their body. */
  readonly bodyCleared: Pick<BodyClearedRequests, 'has'>;
  readonly routes: RouteRules;
  readonly webSocketRule: WebSocketRule;
  readonly authority: CertificateAuthority;
  readonly traffic: Traffic;
  /** Ports of this process: the gateway forwards to none of them, except for the answer page. Grows as they listen. */
  readonly ownPorts: Set<number>;
  /** Called when a request arrives while interception is not armed (the self-test waits for its own here). */
  readonly refusedUnarmed: (url: string) => void;
  readonly emit: (event: InterceptionEvent) => void;
  readonly log: Logger;
}

/** Reports that a request did not leave. */
export function reportBlocked(
  context: GatewayContext,
  reason: 'passive' | 'socket' | 'local',
  request: { readonly url: string; readonly method: string },
): void {
  context.emit({ type: 'blocked', at: Date.now(), reason, url: request.url, method: request.method });
}
