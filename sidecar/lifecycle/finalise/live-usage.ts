import type { GatewayState } from '../../../benchmark/protocol/model-gateway.ts';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import { readGatewayState } from '../../model-gateway/read-state.ts';

/** What a run has used so far, by the model gateway's count; nothing where there is no gateway. */
export async function liveUsage(modelCallsDir: string): Promise<OutcomeMessage['usage']> {
  return gatewayUsage(await readGatewayState(modelCallsDir));
}

/** The gateway's count as usage; null: there is no gateway, or no call yet. */
export function gatewayUsage(state: GatewayState | null): OutcomeMessage['usage'] {
  if (state === null) return { costUSD: null, tokens: 0, apiCalls: 0 };
  return { costUSD: state.costUSD, tokens: state.tokens, apiCalls: state.calls };
}
