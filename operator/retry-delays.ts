/** How long the reconcilers wait before they try again. */

/**
 * After a status write that conflicted with a newer version of the object: by then the watch has delivered that
 * version.
 */
export const CONFLICT_RETRY_MS = 500;

/**
 * After the API server rejected an object (quota, admission, a name that is taken), or what the spec refers to is
 * missing: nothing announces that a quota was raised or a ConfigMap was created. Each try costs an API call, so 200
 * waiting runs cost 10 calls a second.
 */
export const REJECTED_RETRY_MS = 20_000;

/** Milliseconds before the next try after `failures` in a row: 10 s, doubled, at most `capMs`. */
export function retryDelayMs(failures: number, capMs = 300_000): number {
  return Math.min(10_000 * 2 ** Math.max(0, failures - 1), capMs);
}
