import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gatewayState, MODEL_CALLS_FILES, type GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';

/** Totals of the run's model calls, as the gateway last wrote them; null when there is no gateway, or no call yet. */
export async function readGatewayState(directory: string): Promise<GatewayState | null> {
  const text = await readFile(join(directory, MODEL_CALLS_FILES.state), 'utf8').catch(() => null);
  if (text === null) return null;
  const read = gatewayState.safeParse(JSON.parse(text));
  return read.success ? read.data : null;
}

/** What the run has used so far, as the model gateway counts it; zero without a gateway. */
export async function liveUsage(directory: string): Promise<OutcomeMessage['usage']> {
  return gatewayUsage(await readGatewayState(directory));
}

/** The gateway's totals as usage. */
export function gatewayUsage(state: GatewayState | null): OutcomeMessage['usage'] {
  if (state === null) return { costUSD: null, tokens: 0, apiCalls: 0 };
  return { costUSD: state.costUSD, tokens: state.tokens, apiCalls: state.calls };
}
