import type { Clock } from '../clock.ts';

/** A clock that only advances on request. */
export interface FakeClock extends Clock {
  /** Advances the time and fires timers in order; promises settle before and after each timer. */
  advance(ms: number): Promise<void>;
  readonly pending: number;
}

/** Enough turns of the event loop for chains of promises; does not wait for I/O. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

export function fakeClock(): FakeClock {
  let time = 0;
  let serial = 0;
  const timers = new Map<number, { readonly at: number; readonly callback: () => void }>();
  const next = (until: number): number | undefined => {
    const due = [...timers].filter(([, timer]) => timer.at <= until);
    due.sort(([a, first], [b, second]) => first.at - second.at || a - b);
    return due[0]?.[0];
  };
  return {
    now: () => time,
    date: () => new Date(Date.UTC(2030, 0, 1) + time),
    setTimeout: (callback, ms) => {
      serial += 1;
      timers.set(serial, { at: time + Math.max(0, ms), callback });
      return serial;
    },
    clearTimeout: (handle) => void timers.delete(handle as number),
    get pending() {
      return timers.size;
    },
    advance: async (ms) => {
      const until = time + ms;
      await settle();
      for (let id = next(until); id !== undefined; id = next(until)) {
        const timer = timers.get(id);
        timers.delete(id);
        time = Math.max(time, timer?.at ?? time);
        timer?.callback();
        await settle();
      }
      time = until;
    },
  };
}
