import { PROVIDER_FAILURES } from '../models/provider-failure.ts';
import { z } from 'zod';
import { API_TYPES } from '../models/models-file.ts';

/**
 * What the operator passes to the model gateway (sidecar `models`) as JSON in `CLAWBENCH_MODELS`, and the files that the gateway
 * writes for the recorder. Neither contains a secret: API keys come from the mounted models Secret.
 */

/** Port on loopback that the harness's `BASE_URL` names. Env `CLAWBENCH_MODELS_PORT`. */
export const MODEL_GATEWAY_PORT = 4100;
/** The models Secret, mounted in this container alone: `models.yaml`, optional `prices.yaml`. Env `CLAWBENCH_MODELS_SECRET_DIR`. */
export const MODELS_SECRET_DIR = '/models';
/** Volume that the gateway writes and the recorder reads; it is not mounted in the harness. Env `CLAWBENCH_MODEL_CALLS_DIR`. */
export const MODEL_CALLS_DIR = '/model-calls';
export const MODEL_CALLS_FILES = {
  /** A row per call, no content, no secret: evidence (`data/model-calls.jsonl`). */
  calls: 'model-calls.jsonl',
  /** Rows in upstream's exact format; they replace the counts of the harness (`data/usage.jsonl`). */
  usage: 'usage.jsonl',
  /** {@link gatewayState}, replaced by rename at the start and the end of each call. */
  state: 'state.json',
  /** Marker of the first start: a gateway that finds it was restarted by the kubelet, has lost its totals, and serves no calls. */
  started: 'gateway.started',
  /** {@link agentModel}, once the gateway listens. */
  agent: 'agent.json',
  /** {@link gatewayError}: the gateway cannot work, so the attempt ends. */
  error: 'gateway.error',
} as const;

/** The API key that a harness gets: a placeholder, because clients refuse to start without a key. */
export const PLACEHOLDER_KEY = 'clawbench';

export const agentModel = z.object({
  /** The gateway's port with the path of the provider's base URL. */
  baseUrl: z.string(),
  apiType: z.enum(API_TYPES),
  thinkingLevel: z.string().nullable(),
  temperature: z.number().nullable(),
  maxTokens: z.number().nullable(),
  /** Upstream's `model_config` block of run-meta: keys as a count. */
  config: z.record(z.string(), z.unknown()),
});
/**
 * What the harness and the bundle may know about the model. It depends on models.yaml, which only the gateway can read: the
 * gateway writes it, and the recorder passes it on with the task.
 */
export type AgentModel = z.infer<typeof agentModel>;

export const gatewayError = z.object({
  /** One sentence without a secret. */
  message: z.string(),
});

export const gatewayCaps = z.object({
  tokens: z.number().int().nonnegative().nullable().default(null),
  costUSD: z.number().nonnegative().nullable().default(null),
  calls: z.number().int().nonnegative().nullable().default(null),
});
/** What may still be spent; null: no cap, 0: no calls. */
export type GatewayCaps = z.infer<typeof gatewayCaps>;

export const gatewayConfig = z.object({
  /** Name of the harness, for usage rows. */
  harness: z.string(),
  /** Key of models.yaml. */
  model: z.string(),
  /** File in {@link MODELS_SECRET_DIR}. */
  modelsKey: z.string().default('models.yaml'),
  pricesKey: z.string().default('prices.yaml'),
  caps: gatewayCaps.prefault({}),
});
export type GatewayConfig = z.infer<typeof gatewayConfig>;

/** Why the gateway refused a call without sending it to the provider. */
export const CALL_REFUSALS = [
  'TokenCap',
  'CostCap',
  'CallCap',
  'PriceUnknown',
  'EndpointNotAllowed',
  'BodyTooLarge',
] as const;
export type CallRefusal = (typeof CALL_REFUSALS)[number];

export const gatewayState = z.object({
  v: z.literal(1),
  /** Calls that the provider answered successfully. */
  calls: z.number().int(),
  inFlight: z.number().int(),
  tokens: z.number().int(),
  /** Null as soon as one call has no price. */
  costUSD: z.number().nullable(),
  /** Calls whose usage was estimated (no usage reported, or the response was cut off). */
  estimated: z.number().int(),
  failures: z.partialRecord(z.enum(PROVIDER_FAILURES), z.number().int()),
  refusals: z.partialRecord(z.enum(CALL_REFUSALS), z.number().int()),
  lastFailure: z.object({ kind: z.enum(PROVIDER_FAILURES), status: z.number().int(), at: z.number() }).nullable(),
  /** When the last complete response ended, milliseconds since the epoch. */
  lastSuccessAt: z.number().nullable().default(null),
});
/** Totals of a run so far, for `/progress` and the outcome. */
export type GatewayState = z.infer<typeof gatewayState>;
