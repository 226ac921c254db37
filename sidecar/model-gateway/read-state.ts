import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gatewayState, MODEL_CALLS_FILES, type GatewayState } from '../../benchmark/protocol/model-gateway.ts';

/** Totals of the run's model calls as the gateway last wrote them; null when there is no gateway, or no call yet. */
export async function readGatewayState(directory: string): Promise<GatewayState | null> {
  const text = await readFile(join(directory, MODEL_CALLS_FILES.state), 'utf8').catch(() => null);
  if (text === null) return null;
  const read = gatewayState.safeParse(JSON.parse(text));
  return read.success ? read.data : null;
}
