/**
 * Kinds of provider failures. `call-outcome.ts` decides which one a response is, `judging/call/provider-error.ts` what it
 * means for the judge, `sidecar/lifecycle/finalise/model-outcome.ts` what it means for the run.
 */
export const PROVIDER_FAILURES = ['Auth', 'Credit', 'RateLimit', 'Request', 'Server', 'Network', 'Timeout'] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];
