import { z } from 'zod';
import { API_TYPES } from '../models/models-file.ts';

/**
 * What the operator tells the model gateway (sidecar `models`) as JSON in `CLAWBENCH_MODELS`, and what the gateway leaves
 * for the recorder. No secret in either: keys come from the mounted models Secret.
 */

/** Port on loopback that the harness's `BASE_URL` names. Env `CLAWBENCH_MODELS_PORT`. */
export const MODEL_GATEWAY_PORT = 4100;
/** The models Secret, mounted in this container alone: `models.yaml`, optional `prices.yaml`. Env `CLAWBENCH_MODELS_SECRET_DIR`. */
export const MODELS_SECRET_DIR = '/models';
/** Volume that the gateway writes, the recorder reads, and the harness never sees. Env `CLAWBENCH_MODEL_CALLS_DIR`. */
export const MODEL_CALLS_DIR = '/model-calls';
export const MODEL_CALLS_FILES = {
  /** A row per call, no content, no secret: evidence (`data/model-calls.jsonl`). */
  calls: 'model-calls.jsonl',
  /** Rows in upstream's format, exact: takes the place of what a harness counted itself (`data/usage.jsonl`). */
  usage: 'usage.jsonl',
  /** {@link gatewayState}, replaced by rename at each call's begin and end. */
  state: 'state.json',
  /** Mark of the first start: a gateway that finds it was restarted by kubelet, lost its sums, and parks. */
  started: 'gateway.started',
  /** {@link agentModel}, once the gateway listens. */
  agent: 'agent.json',
  /** {@link gatewayError}: it cannot do its work, so the attempt is over. */
  error: 'gateway.error',
} as const;

/** What a harness gets for a key: something, since clients refuse to start without one. */
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
 * What the harness and the bundle may know of the model. It depends on models.yaml, which only the gateway may read: so
 * the gateway says it, the recorder hands it on with the task.
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
/** What may still be spent; null: no cap, 0: no call at all. */
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

/** Why a call was refused without asking the provider. */
export const CALL_REFUSALS = [
  'TokenCap',
  'CostCap',
  'CallCap',
  'PriceUnknown',
  'EndpointNotAllowed',
  'BodyTooLarge',
] as const;
export type CallRefusal = (typeof CALL_REFUSALS)[number];

/** Kinds of a provider's failures. */
export const PROVIDER_FAILURES = ['Auth', 'Credit', 'RateLimit', 'Request', 'Server', 'Network', 'Timeout'] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

export const gatewayState = z.object({
  v: z.literal(1),
  /** Calls that a provider answered with success. */
  calls: z.number().int(),
  inFlight: z.number().int(),
  tokens: z.number().int(),
  /** Null as soon as one call has no price. */
  costUSD: z.number().nullable(),
  /** Calls whose usage had to be estimated (no usage told, or cut off). */
  estimated: z.number().int(),
  failures: z.partialRecord(z.enum(PROVIDER_FAILURES), z.number().int()),
  refusals: z.partialRecord(z.enum(CALL_REFUSALS), z.number().int()),
  lastFailure: z.object({ kind: z.enum(PROVIDER_FAILURES), status: z.number().int(), at: z.number() }).nullable(),
  /** When the last whole answer ended, milliseconds since the epoch. */
  lastSuccessAt: z.number().nullable().default(null),
});
/** Totals of a run so far; for `/progress` and the outcome. */
export type GatewayState = z.infer<typeof gatewayState>;
