/** `work`, or a rejection with `aborted()` as soon as the signal aborts. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal, aborted: () => Error): Promise<T> {
  if (signal.aborted) throw aborted();
  let stop = (): void => {};
  const abort = new Promise<never>((_resolve, reject) => {
    stop = (): void => reject(aborted());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, abort]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A promise that is settled from outside, once. */
export interface Latch<T> {
  readonly promise: Promise<T>;
  set(value: T): void;
  fail(error: Error): void;
}

export function createLatch<T>(): Latch<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  // It may fail before anyone waits for it; later callers still get the error.
  promise.catch(() => undefined);
  return { promise, set: resolve, fail: reject };
}
