/** Time as a dependency, so that tests of back-off, leases and staleness need not wait. */
export interface Clock {
  /** Monotonic milliseconds, for differences only: a jump of the wall clock must not end a lease. */
  now(): number;
  /** Wall-clock time, for timestamps in objects. */
  date(): Date;
  setTimeout(callback: () => void, ms: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
}

/** Opaque. */
export type TimerHandle = unknown;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** Resolves after `ms` or when `signal` is aborted; never rejects. */
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
