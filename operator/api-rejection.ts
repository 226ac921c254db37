import { ForeignObject } from '../kube/ensure-owned.ts';
import { ApiError, isConflict, isNotFound, isTransient } from '../kube/errors.ts';

/**
 * Whether the API server rejected an object (quota, admission, a name that is taken, a namespace that is being
 * deleted). The owner reports the rejection in its status and tries again. This is the one rule for Pods, Jobs and all
 * other objects. Errors that resolve themselves are not rejections: 429 and 5xx; a conflict, which two creations that
 * count against one quota at the same time get and which is over within milliseconds; a namesake that was rejected for
 * and is gone when it is read; and 401, which concerns the operator's own token.
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
 * The result of a call with a precondition; null when the object is gone or has changed since the decision. The watch
 * reports the change, and the next reconcile decides again.
 */
export async function ignoreGoneOrChanged<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
    return null;
  }
}
