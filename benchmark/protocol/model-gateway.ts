import { z } from 'zod';

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
  /** {@link gatewayState}, replaced by rename after each call. */
  state: 'state.json',
} as const;

export const gatewayCaps = z.object({
  tokens: z.number().int().positive().nullable().default(null),
  costUSD: z.number().positive().nullable().default(null),
  calls: z.number().int().positive().nullable().default(null),
});
/** Per run; null: no cap. */
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
export const REFUSALS = [
  'TokenCap',
  'CostCap',
  'CallCap',
  'PriceUnknown',
  'EndpointNotAllowed',
  'BodyTooLarge',
] as const;
export type Refusal = (typeof REFUSALS)[number];

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
  refusals: z.partialRecord(z.enum(REFUSALS), z.number().int()),
  lastFailure: z.object({ kind: z.enum(PROVIDER_FAILURES), status: z.number().int(), at: z.number() }).nullable(),
});
/** Totals of a run so far; for `/progress` and the outcome. */
export type GatewayState = z.infer<typeof gatewayState>;
