import { backoffMs } from './backoff.ts';
import { ApiError, ApiUnreachable } from './errors.ts';

const RECONNECT = { baseMs: 50, capMs: 1_000 };
/** Longest Retry-After that the client waits for; beyond it, the caller gets the error and uses its own back-off. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Whether the client itself retries a call, and after how long: only if the call was certainly not executed (429,
 * Retry-After, refused connection), or if it is safe to repeat (GET after a lost connection, since the server may close a
 * keep-alive connection at the moment when it is used).
 * @returns milliseconds, or undefined if the caller gets the error
 */
export function clientRetryDelayMs(error: unknown, method: string, tries: number): number | undefined {
  if (error instanceof ApiError) return serverAsked(error);
  if (!(error instanceof ApiUnreachable) || error.timedOut) return undefined;
  return method === 'GET' || neverSent(error) ? backoffMs(RECONNECT, tries) : undefined;
}

function serverAsked(error: ApiError): number | undefined {
  const wait = error.retryAfterMs ?? (error.status === 429 ? 1_000 : undefined);
  if (wait === undefined || (error.status !== 429 && error.status < 500)) return undefined;
  return wait <= LONGEST_WAIT_MS ? wait : undefined;
}

function neverSent(error: ApiUnreachable): boolean {
  const code = (error.cause as { code?: unknown } | undefined)?.code;
  return code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
}
