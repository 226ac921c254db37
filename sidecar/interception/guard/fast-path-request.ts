import type { ObservedRequest } from '../../contracts.ts';
import { headOfWhole, restOfWhole, type WholePause } from '../pipe/paused-body.ts';
import { LOGGED_BODY_BYTES } from './guard.ts';
import { observedRequest } from './observed-request.ts';

/**
 * Reads a request that continued by its first fields (`fast-path.ts`) from its whole message, as the guard would have
 * observed it. @returns null when the message cannot be read.
 */
export function readFastPathRequest(at: number, message: Buffer): ObservedRequest | null {
  try {
    const { params } = JSON.parse(message.toString('utf8')) as { readonly params: WholePause };
    return observedRequest(at, headOfWhole(params), restOfWhole(params, LOGGED_BODY_BYTES));
  } catch {
    return null;
  }
}
