import type { ProviderFailure } from '../../benchmark/models/provider-failure.ts';

/** The kind of failure of a call without an answer. */
export function failureOfError(error: unknown): ProviderFailure {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const timedOut = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'];
  return timedOut.includes(String(code)) || name === 'TimeoutError' ? 'Timeout' : 'Network';
}
