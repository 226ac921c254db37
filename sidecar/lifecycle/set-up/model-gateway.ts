import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  agentModel,
  gatewayError,
  MODEL_CALLS_FILES,
  type AgentModel,
} from '../../../benchmark/protocol/model-gateway.ts';
import { readGatewayState } from '../../model-gateway/read-state.ts';
import type { GatewayState } from '../../../benchmark/protocol/model-gateway.ts';

/** The recorder's side of the volume that the model gateway writes. */

/** The gateway cannot do its work; the sentence holds no secret. */
export class ModelGatewayFailed extends Error {
  override readonly name = 'ModelGatewayFailed';
}

const PERIOD_MS = 100;
const WATCH_MS = 500;

/**
 * Waits until the gateway listens. The interception is armed after that, and kubelet starts the harness after that: so
 * no agent ever finds the gateway missing, and no probe has to hold the Pod's start back.
 * @throws ModelGatewayFailed; what `signal` was aborted with.
 */
export async function agentModelOf(directory: string, signal: AbortSignal): Promise<AgentModel> {
  for (;;) {
    const problem = gatewayProblem(directory);
    if (problem !== null) throw new ModelGatewayFailed(problem);
    const path = join(directory, MODEL_CALLS_FILES.agent);
    if (existsSync(path)) return agentModel.parse(JSON.parse(readFileSync(path, 'utf8')));
    await sleep(PERIOD_MS, undefined, { signal });
  }
}

/** One sentence when the gateway says that it cannot work; null: it has said nothing. */
function gatewayProblem(directory: string): string | null {
  const path = join(directory, MODEL_CALLS_FILES.error);
  if (!existsSync(path)) return null;
  const { message } = gatewayError.parse(JSON.parse(readFileSync(path, 'utf8')));
  return `The model gateway cannot work: ${message}.`;
}

/** Upstream's variables, without keys. Those that the model's entry leaves out are left out. */
export function agentModelEnv(model: AgentModel): Readonly<Record<string, string>> {
  const { thinkingLevel, temperature, maxTokens } = model;
  return {
    BASE_URL: model.baseUrl,
    API_TYPE: model.apiType,
    ...(thinkingLevel === null ? {} : { THINKING_LEVEL: thinkingLevel }),
    ...(temperature === null ? {} : { TEMPERATURE: String(temperature) }),
    ...(maxTokens === null ? {} : { MAX_TOKENS: String(maxTokens) }),
  };
}

export interface GatewayWatch {
  /** The gateway's totals changed, or were read again. */
  readonly onState: (state: GatewayState) => void;
  /** It said that it cannot work; told once. */
  readonly onProblem: (message: string) => void;
}

/** Looks twice a second, as the browser's marks are looked for. @returns a function that ends the watch. */
export function watchModelGateway(directory: string, watch: GatewayWatch): () => void {
  const timer = setInterval(() => {
    const problem = gatewayProblem(directory);
    if (problem !== null) {
      clearInterval(timer);
      watch.onProblem(problem);
      return;
    }
    void readGatewayState(directory).then((state) => {
      if (state !== null) watch.onState(state);
    });
  }, WATCH_MS);
  return () => {
    clearInterval(timer);
  };
}

/**
 * The totals once no call is in flight, so that the rows of all are written: the agent is gone by then, and the gateway
 * ends what hung on it. Not longer than `limitMs`.
 */
export async function settledState(directory: string, limitMs = 3000): Promise<GatewayState | null> {
  const until = Date.now() + limitMs;
  for (;;) {
    const state = await readGatewayState(directory);
    if (state === null || state.inFlight === 0 || Date.now() >= until) return state;
    await sleep(PERIOD_MS);
  }
}
