import { ForeignObject } from '../kube/ensure-owned.ts';
import { ApiError, isTransient } from '../kube/errors.ts';

/**
 * Whether the API server said no to an object (quota, admission, a name taken): the object's owner says so and tries
 * again. What may pass by itself (429, 5xx) is none.
 */
export function isRefusal(error: unknown): error is ForeignObject | ApiError {
  return error instanceof ForeignObject || (error instanceof ApiError && !isTransient(error));
}
