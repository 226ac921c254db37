import type { Reason } from '../../benchmark/outcome.ts';
import type { GatewayState, ProviderFailure, Refusal } from '../../benchmark/protocol/model-gateway.ts';

/** Why an agent had to end by what the model gateway knows; null: it had its model to the end. */
export interface ModelEnd {
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

/** A call was refused by a cap: the agent can go no further. */
export function capEnd(state: GatewayState | null): ModelEnd | null {
  if ((state?.refusals.PriceUnknown ?? 0) > 0) {
    const message =
      'The run has a cost cap, and a model call has no price: add it to prices.yaml in the models Secret.';
    return { reason: 'PriceUnknown', message };
  }
  const reached = CAPS.find(([refusal]) => (state?.refusals[refusal] ?? 0) > 0);
  if (state === null || reached === undefined) return null;
  const spent = `${String(state.calls)} calls, ${String(state.tokens)} tokens${state.costUSD === null ? '' : `, ${String(state.costUSD)} USD`}`;
  return { reason: 'BudgetExceeded', message: `The run's cap on ${reached[1]} was reached after ${spent}.` };
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
  return { reason: 'ModelUnavailable', message };
}

/**
 * Upstream's evidence that the provider, and not the agent, was at fault. The gateway heard the provider itself; a
 * harness's words are upstream's only source, and at a cap they quote the gateway's own refusal, which is no fault.
 */
export function apiEvidence(state: GatewayState | null, byHarness: string | null): string | null {
  if (capEnd(state) !== null) return null;
  return providerEnd(state)?.message ?? byHarness;
}
