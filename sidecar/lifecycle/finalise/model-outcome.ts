import type { Outcome, Reason } from '../../../benchmark/outcome/outcome.ts';
import type { GatewayCaps, GatewayState, ProviderFailure, Refusal } from '../../../benchmark/protocol/model-gateway.ts';
import { capReached } from '../../model-gateway/caps.ts';

/** Why an agent had to end by what the model gateway knows; null: it had its model to the end. */
export interface ModelEnd {
  /** `Failed`: by what it spent itself. */
  readonly outcome: Extract<Outcome, 'Failed' | 'Infrastructure'>;
  readonly reason: Extract<Reason, 'BudgetExceeded' | 'PriceUnknown' | 'ModelUnavailable'>;
  readonly message: string;
}

const CAPS: readonly (readonly [Refusal, string])[] = [
  ['CostCap', 'cost'],
  ['TokenCap', 'tokens'],
  ['CallCap', 'calls'],
];

/** Not `Request`: a call that the provider finds wrong is the agent's own. */
const PROVIDERS_OWN: readonly ProviderFailure[] = ['Auth', 'Credit', 'RateLimit', 'Server', 'Network', 'Timeout'];

/**
 * A call was refused by a cap: the agent can go no further. It was beaten by the cap if it reached one of the run's in
 * full by itself. Where attempts that infrastructure ended had used part of it up, an agent that had less was not.
 * @param inFull the run's caps, where earlier attempts used some of them; null: this one had them whole.
 */
export function capEnd(state: GatewayState | null, inFull: GatewayCaps | null): ModelEnd | null {
  if ((state?.refusals.PriceUnknown ?? 0) > 0) {
    const message =
      'The run has a cost cap, and a model call has no price: add it to prices.yaml in the models Secret.';
    return { outcome: 'Infrastructure', reason: 'PriceUnknown', message };
  }
  const reached = CAPS.find(([refusal]) => (state?.refusals[refusal] ?? 0) > 0);
  if (state === null || reached === undefined) return null;
  const spent = `${String(state.calls)} calls, ${String(state.tokens)} tokens${state.costUSD === null ? '' : `, ${String(state.costUSD)} USD`}`;
  const message = `The run's cap on ${reached[1]} was reached after ${spent}`;
  const reason = 'BudgetExceeded';
  if (inFull === null || isReached(state, inFull)) return { outcome: 'Failed', reason, message: `${message}.` };
  const why = `${message} of this attempt; the rest went to attempts that infrastructure ended.`;
  return { outcome: 'Infrastructure', reason, message: why };
}

function isReached(state: GatewayState, caps: GatewayCaps): boolean {
  const reached = capReached(state, caps);
  return reached !== null && reached.reason !== 'PriceUnknown';
}

/**
 * The provider's failure was the last the agent heard of it: an agent that gives up then was not beaten by its task. A
 * failure that a later answer followed cost nothing but time.
 */
export function providerEnd(state: GatewayState | null): ModelEnd | null {
  if (state === null || state.lastFailure === null) return null;
  const { lastFailure: last, lastSuccessAt, failures } = state;
  if (!PROVIDERS_OWN.includes(last.kind) || last.at < (lastSuccessAt ?? 0)) return null;
  const answer = last.status === 0 ? 'did not answer' : `answered ${String(last.status)}`;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const message = `The model's provider ${answer} (${last.kind}) at the end; ${String(failed)} calls failed.`;
  return { outcome: 'Infrastructure', reason: 'ModelUnavailable', message };
}

/**
 * Upstream's evidence that the provider, or we, and not the agent, was at fault. The gateway heard the provider itself; a
 * harness's words are upstream's only source, and at a cap they quote the gateway's own refusal.
 */
export function apiEvidence(
  state: GatewayState | null,
  inFull: GatewayCaps | null,
  byHarness: string | null,
): string | null {
  const end = capEnd(state, inFull);
  if (end !== null) return end.reason === 'BudgetExceeded' && end.outcome === 'Infrastructure' ? end.message : null;
  return providerEnd(state)?.message ?? byHarness;
}
