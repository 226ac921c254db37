/** Time as a dependency, so that back-off, leases and staleness are tested in microseconds. */
export interface Clock {
  /** Monotonic milliseconds: only differences mean something. A wall clock that jumps must not end a lease. */
  now(): number;
  /** Wall time, for what is written into objects. */
  date(): Date;
  setTimeout(callback: () => void, ms: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
}

/** Opaque. */
export type TimerHandle = unknown;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** Resolves after `ms`, or as soon as `signal` is aborted; never rejects. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = (): void => {
      clock.clearTimeout(handle);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const handle = clock.setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
