/** An abort signal that combines the caller's signal with a time limit. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly expired: boolean;
  /** Milliseconds left. */
  left(): number;
  /** Removes the timer and the listener on the caller's signal. Must be called when the work is done. */
  end(): void;
}

/** Unlike `AbortSignal.any`, it does not leave a listener on a long-lived signal for each call. */
export function startTimeLimit(ms: number, outer?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const started = performance.now();
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    controller.abort(new DOMException(`no response within ${ms} ms`, 'TimeoutError'));
  }, ms);
  const follow = (): void => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    left: () => ms - (performance.now() - started),
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}
