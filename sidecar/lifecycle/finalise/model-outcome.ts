import type { ProviderFailure } from '../../../benchmark/models/provider-failure.ts';
import type { Outcome, Reason } from '../../../benchmark/outcome/outcome.ts';
import type { GatewayCaps, GatewayState, CallRefusal } from '../../../benchmark/protocol/model-gateway.ts';
import { capReached } from '../../model-gateway/caps.ts';

/** How an attempt ended whose agent could not use its model any more, as far as the model gateway knows. */
export interface ModelOutcome {
  /** `Failed`: the agent's own spending was the reason. */
  readonly outcome: Extract<Outcome, 'Failed' | 'Infrastructure'>;
  readonly reason: Extract<Reason, 'BudgetExceeded' | 'PriceUnknown' | 'ModelUnavailable'>;
  readonly message: string;
}

const CAPS: readonly (readonly [CallRefusal, string])[] = [
  ['CostCap', 'cost'],
  ['TokenCap', 'tokens'],
  ['CallCap', 'calls'],
];

/** Not `Request`: a call that the provider rejects as malformed is the agent's fault. */
const PROVIDERS_OWN: readonly ProviderFailure[] = ['Auth', 'Credit', 'RateLimit', 'Server', 'Network', 'Timeout'];

/**
 * A cap refused a call, so the agent cannot continue. It failed if this attempt alone reached one of the run's caps. If
 * earlier attempts, which infrastructure ended, had used part of the cap, it did not.
 * @param inFull the run's caps, where earlier attempts used some of them; null: this attempt had them in full.
 */
export function capOutcome(state: GatewayState | null, inFull: GatewayCaps | null): ModelOutcome | null {
  if ((state?.refusals.PriceUnknown ?? 0) > 0) {
    const message =
      'The run has a cost cap, but a model call has no price; add the price to prices.yaml in the models Secret.';
    return { outcome: 'Infrastructure', reason: 'PriceUnknown', message };
  }
  const reached = CAPS.find(([refusal]) => (state?.refusals[refusal] ?? 0) > 0);
  if (state === null || reached === undefined) return null;
  const spent = `${String(state.calls)} calls, ${String(state.tokens)} tokens${state.costUSD === null ? '' : `, ${String(state.costUSD)} USD`}`;
  const message = `The run's cap on ${reached[1]} was reached after ${spent}`;
  const reason = 'BudgetExceeded';
  if (inFull === null || isReached(state, inFull)) return { outcome: 'Failed', reason, message: `${message}.` };
  const why = `${message} of this attempt; earlier attempts that failed by infrastructure had used the rest.`;
  return { outcome: 'Infrastructure', reason, message: why };
}

function isReached(state: GatewayState, caps: GatewayCaps): boolean {
  const reached = capReached(state, caps);
  return reached !== null && reached.reason !== 'PriceUnknown';
}

/**
 * The provider's last answer was a failure: an agent that gives up then did not fail at its task. A failure before a
 * later success cost nothing but time.
 */
export function providerOutcome(state: GatewayState | null): ModelOutcome | null {
  if (state === null || state.lastFailure === null) return null;
  const { lastFailure: last, lastSuccessAt, failures } = state;
  if (!PROVIDERS_OWN.includes(last.kind) || last.at < (lastSuccessAt ?? 0)) return null;
  const answer = last.status === 0 ? 'did not answer' : `answered ${String(last.status)}`;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const message = `The model's provider ${answer} (${last.kind}) at the end; ${String(failed)} calls failed.`;
  return { outcome: 'Infrastructure', reason: 'ModelUnavailable', message };
}

/**
 * Upstream's evidence that the provider or the infrastructure, not the agent, was at fault. The gateway sees the
 * provider's answers itself; the harness's log is upstream's only source, and at a cap it quotes the gateway's refusal.
 */
export function apiEvidence(
  state: GatewayState | null,
  inFull: GatewayCaps | null,
  byHarness: string | null,
): string | null {
  const reached = capOutcome(state, inFull);
  if (reached !== null)
    return reached.reason === 'BudgetExceeded' && reached.outcome === 'Infrastructure' ? reached.message : null;
  return providerOutcome(state)?.message ?? byHarness;
}
