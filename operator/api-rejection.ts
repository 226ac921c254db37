import { ForeignObject } from '../kube/ensure-owned.ts';
import { ApiError, isConflict, isNotFound, isTransient } from '../kube/errors.ts';

/**
 * Whether the API server said no to an object (quota, admission, a name taken, a namespace that is gone): the object's
 * owner says so and tries again. One rule for Pods, Jobs and all else. What may pass by itself is none: 429 and 5xx; a
 * conflict, which is what two creations that count against one quota at a time get, and is over in milliseconds; a
 * namesake that was there to be refused for and is gone when it is read; and 401, which is about our own token.
 */
export function isApiRejection(error: unknown): error is ForeignObject | ApiError {
  if (error instanceof ForeignObject) return true;
  return error instanceof ApiError && !mayResolveItself(error);
}

function mayResolveItself(error: ApiError): boolean {
  const isGoneNow = error.method === 'GET' && isNotFound(error);
  return isTransient(error) || isConflict(error) || isGoneNow || error.status === 401;
}

/**
 * The result of a call with a precondition; null when the object is gone, or is not the one any more that was decided
 * on: a watch reports the change, and the next reconcile decides again.
 */
export async function ignoreGoneOrChanged<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
    return null;
  }
}
