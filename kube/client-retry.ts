import { backoffMs } from './backoff.ts';
import { ApiError, ApiUnreachable } from './errors.ts';

const RECONNECT = { baseMs: 50, capMs: 1_000 };
/** The server asks for seconds; more than this is the caller's business (its own back-off), not a hidden wait. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Whether a call may be sent again by the client itself, and after how long. Only where it surely was not executed
 * (429, Retry-After, refused connection) or where executing it twice is harmless (GET after a lost connection: the
 * server may close a kept-alive connection at the very moment it is used).
 * @returns milliseconds, or undefined: give the error to the caller.
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
