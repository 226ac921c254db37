import type { ProviderFailure } from '../../benchmark/models/provider-failure.ts';

/**
 * What a provider's failure means for the queue. `Retry`: the same call may succeed soon. `Pause`: no call to this provider
 * will succeed until a person acts or time passes (no credit, invalid key, lasting rate limit), so the Job ends and the
 * verdicts stay missing. `Refused`: this call is invalid, and a retry cannot help.
 */
export type FailureKind = 'Retry' | 'Pause' | 'Refused';

export class ProviderError extends Error {
  readonly kind: FailureKind;
  /** HTTP status, or 0 when there was no response. */
  readonly status: number;
  /** Seconds from `Retry-After`; null: not given. */
  readonly retryAfterSeconds: number | null;
  constructor(kind: FailureKind, status: number, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = 'ProviderError';
    this.kind = kind;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A rate limit that lasts longer than the retries becomes `Pause` in `retry.ts`. */
const KIND: Readonly<Record<ProviderFailure, FailureKind>> = {
  Auth: 'Pause',
  Credit: 'Pause',
  RateLimit: 'Retry',
  Server: 'Retry',
  Network: 'Retry',
  Timeout: 'Retry',
  Request: 'Refused',
};

/**
 * What a failed call means for the queue.
 * @param status a redirect is a wrong address, which no second call mends.
 */
export function failureKind(failure: ProviderFailure, status: number): FailureKind {
  return status >= 300 && status < 400 ? 'Refused' : KIND[failure];
}
