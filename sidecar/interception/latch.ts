/** A promise that the caller's signal can end. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal, aborted: () => Error): Promise<T> {
  if (signal.aborted) throw aborted();
  let stop = (): void => {};
  const cut = new Promise<never>((_resolve, reject) => {
    stop = (): void => reject(aborted());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, cut]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A fact that becomes true once. */
export interface Latch<T> {
  readonly promise: Promise<T>;
  set(value: T): void;
  fail(error: Error): void;
}

export function createLatch<T>(): Latch<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  // Nobody may be waiting when it fails; whoever waits later still sees it.
  promise.catch(() => undefined);
  return { promise, set: resolve, fail: reject };
}
