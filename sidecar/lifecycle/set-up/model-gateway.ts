import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  agentModel,
  gatewayError,
  MODEL_CALLS_FILES,
  type AgentModel,
  type GatewayState,
} from '../../../benchmark/protocol/model-gateway.ts';
import { readGatewayState } from '../../model-gateway/read-state.ts';

/** The recorder's side of the volume that the model gateway writes. */

/** The gateway cannot do its work; the message holds no secret. */
export class ModelGatewayFailed extends Error {
  override readonly name = 'ModelGatewayFailed';
}

const PERIOD_MS = 100;
const WATCH_MS = 500;

/**
 * Waits until the gateway listens. The interception is armed after that, and kubelet starts the harness after that, so
 * an agent never finds the gateway missing and no probe has to delay the Pod's start.
 * @throws ModelGatewayFailed; what `signal` was aborted with.
 */
export async function waitForModelGateway(directory: string, signal: AbortSignal): Promise<AgentModel> {
  for (;;) {
    const problem = gatewayProblem(directory);
    if (problem !== null) throw new ModelGatewayFailed(problem);
    const path = join(directory, MODEL_CALLS_FILES.agent);
    if (existsSync(path)) return agentModel.parse(JSON.parse(readFileSync(path, 'utf8')));
    await sleep(PERIOD_MS, undefined, { signal });
  }
}

/** One sentence when the gateway reported that it cannot work; null otherwise. */
function gatewayProblem(directory: string): string | null {
  const path = join(directory, MODEL_CALLS_FILES.error);
  if (!existsSync(path)) return null;
  const { message } = gatewayError.parse(JSON.parse(readFileSync(path, 'utf8')));
  return `The model gateway cannot work: ${message}.`;
}

/** Upstream's variables, without keys. A setting that the model's entry leaves out is left out here too. */
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

export interface ModelWatch {
  /** The gateway's totals as last read; null: there is no gateway, or no call yet. */
  readonly state: GatewayState | null;
  /** Reads the totals once no call is in flight, at most 3 s later. */
  settle(): Promise<void>;
  end(): void;
}

/** For a run whose Pod has no gateway. */
export const NO_MODEL_GATEWAY: ModelWatch = { state: null, settle: () => Promise.resolve(), end: () => undefined };

export interface ModelWatchCallbacks {
  /** The gateway's totals changed, or were read again. */
  readonly onState: (state: GatewayState) => void;
  /** The gateway reported that it cannot work. Called once. */
  readonly onProblem: (message: string) => void;
}

/** Reads the gateway's files twice a second, as the browser's markers are read. */
export function watchModelGateway(directory: string, callbacks: ModelWatchCallbacks): ModelWatch {
  let last: GatewayState | null = null;
  const timer = setInterval(() => {
    const problem = gatewayProblem(directory);
    if (problem !== null) {
      clearInterval(timer);
      callbacks.onProblem(problem);
      return;
    }
    void readGatewayState(directory).then((state) => {
      if (state === null) return;
      last = state;
      callbacks.onState(state);
    });
  }, WATCH_MS);
  return {
    get state() {
      return last;
    },
    settle: async () => {
      last = (await settledGatewayState(directory)) ?? last;
    },
    end: () => {
      clearInterval(timer);
    },
  };
}

/**
 * The totals once no call is in flight, so that the rows of all calls are written. The agent is gone by then, and the
 * gateway ends its calls.
 */
export async function settledGatewayState(directory: string, limitMs = 3000): Promise<GatewayState | null> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const state = await readGatewayState(directory);
    if (state === null || state.inFlight === 0 || Date.now() >= deadline) return state;
    await sleep(PERIOD_MS);
  }
}
