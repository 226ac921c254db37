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

const RETRIED = new Set([0, 408, 409, 425, 429, 500, 502, 503, 504, 529]);
const PAUSING = new Set([401, 402, 403]);

/** The kind of failure for an HTTP status (0: timeout or no connection). */
export function failureKind(status: number): FailureKind {
  if (PAUSING.has(status)) return 'Pause';
  return RETRIED.has(status) ? 'Retry' : 'Refused';
}

/** `Retry-After` as seconds: a number or an HTTP date; null when absent or not valid. */
export function retryAfterSeconds(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}
