import type { StopOrder } from '../control/attempt-control.ts';

/** The recorder's word to the shim that the agent must end: given once, heard by whoever asks before or after. */
export interface StopSignal {
  give(order: StopOrder): void;
  readonly given: StopOrder | null;
  /** Null when `signal` is aborted first (the long poll is over, or the caller has gone). */
  wait(signal: AbortSignal): Promise<StopOrder | null>;
}

export function createStopSignal(): StopSignal {
  let given: StopOrder | null = null;
  const waiting = new Set<(order: StopOrder | null) => void>();
  return {
    give: (order) => {
      given ??= order;
      for (const tell of waiting) tell(given);
    },
    get given() {
      return given;
    },
    wait: (signal) => {
      if (given !== null || signal.aborted) return Promise.resolve(given);
      return new Promise((resolve) => {
        const tell = (order: StopOrder | null): void => {
          waiting.delete(tell);
          resolve(order);
        };
        waiting.add(tell);
        signal.addEventListener(
          'abort',
          () => {
            tell(null);
          },
          { once: true },
        );
      });
    },
  };
}
