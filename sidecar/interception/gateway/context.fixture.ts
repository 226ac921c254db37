import pino from 'pino';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import { createBodyClearedRequests } from '../guard/body-cleared-requests.ts';
import { createPhase } from '../phase.ts';
import type { GatewayContext } from './context.ts';
import { routeRules } from './policy/route.ts';
import { webSocketRule } from './policy/websocket-rule.ts';

/** The context of an armed gateway without certificates, for tests of its parts. */
export function armedContext(
  evalSchema: unknown,
  network: Parameters<typeof routeRules>[0],
  parts: Pick<GatewayContext, 'traffic' | 'emit'>,
): GatewayContext {
  const target = compileTarget(evalSchema);
  const phase = createPhase();
  phase.advance('armed');
  return {
    phase,
    target,
    bodyCleared: createBodyClearedRequests(),
    routes: routeRules(network, 7878),
    webSocketRule: webSocketRule(target),
    ownPorts: new Set<number>(),
    refusedUnarmed: () => undefined,
    log: pino({ level: 'silent' }),
    authority: { spki: '', contextFor: () => Promise.reject(new Error('no TLS here')) },
    ...parts,
  };
}
