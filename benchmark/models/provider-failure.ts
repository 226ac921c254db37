/** Kinds of provider failures. */
export const PROVIDER_FAILURES = ['Auth', 'Credit', 'RateLimit', 'Request', 'Server', 'Network', 'Timeout'] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];
