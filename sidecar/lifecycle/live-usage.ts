import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { readGatewayState } from '../model-gateway/read-state.ts';

/** What a run has used so far, by the model gateway's count; nothing where there is no gateway. */
export async function liveUsage(modelCallsDir: string): Promise<OutcomeMessage['usage']> {
  const state = await readGatewayState(modelCallsDir);
  if (state === null) return { costUSD: null, tokens: 0, apiCalls: 0 };
  return { costUSD: state.costUSD, tokens: state.tokens, apiCalls: state.calls };
}
