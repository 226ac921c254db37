/**
 * How far a run's interception has come. Guard, gateway and DevTools proxy read it here and keep no copy, so no order of
 * events can leave one of them open after another has closed. It only moves forward.
 */
const ORDER = ['starting', 'armed', 'matched', 'frozen', 'lost', 'closed'] as const;
export type InterceptionPhase = (typeof ORDER)[number];

export interface PhaseState {
  readonly current: InterceptionPhase;
  /** Moves forward and ignores a step back. @returns whether this call changed the phase. */
  advance(to: InterceptionPhase): boolean;
}

/** @param cell its first element is the phase. In shared memory, it is the phase of several threads. */
export function createPhase(cell: Int32Array = new Int32Array(1)): PhaseState {
  return {
    get current() {
      return ORDER[Atomics.load(cell, 0)] ?? 'closed';
    },
    advance: (to) => {
      const next = ORDER.indexOf(to);
      // Another thread may move it in between; only the caller that made the step gets true.
      for (;;) {
        const now = Atomics.load(cell, 0);
        if (next <= now) return false;
        if (Atomics.compareExchange(cell, 0, now, next) === now) return true;
      }
    },
  };
}
