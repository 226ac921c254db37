import type { ProviderFailure } from '../../benchmark/protocol/model-gateway.ts';

/** The kind of failure of a provider's answer; null for a success. */
export function failureOf(status: number): ProviderFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403) return 'Auth';
  if (status === 402) return 'Credit';
  if (status === 429) return 'RateLimit';
  return status >= 400 && status < 500 ? 'Request' : 'Server';
}

/** The kind of failure of a call without an answer. */
export function failureOfError(error: unknown): ProviderFailure {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const timedOut = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'];
  return timedOut.includes(String(code)) || name === 'TimeoutError' ? 'Timeout' : 'Network';
}

/** Whether the key is at fault, so that another key may work. */
export function isKeyFailure(kind: ProviderFailure | null): boolean {
  return kind === 'Auth' || kind === 'Credit' || kind === 'RateLimit';
}
