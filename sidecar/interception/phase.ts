/**
 * How far a run's interception has come. Guard, gateway and door ask here and keep no copy, so no order of events can
 * leave one of them open after another has closed. It only ever moves forward.
 */
const ORDER = ['starting', 'armed', 'matched', 'frozen', 'lost', 'closed'] as const;
export type InterceptionPhase = (typeof ORDER)[number];

export interface PhaseState {
  readonly current: InterceptionPhase;
  /** Moves forward; a step back is ignored. Answers whether anything changed. */
  advance(to: InterceptionPhase): boolean;
}

/** @param cell its first element is the phase. Shared memory makes the phase that of several threads. */
export function createPhase(cell: Int32Array = new Int32Array(1)): PhaseState {
  return {
    get current() {
      return ORDER[Atomics.load(cell, 0)] ?? 'closed';
    },
    advance: (to) => {
      const next = ORDER.indexOf(to);
      // Another thread may move it between the two; whoever made the step is told so, and nobody else.
      for (;;) {
        const now = Atomics.load(cell, 0);
        if (next <= now) return false;
        if (Atomics.compareExchange(cell, 0, now, next) === now) return true;
      }
    },
  };
}

/** The same with a match that ends nothing: one browser serves many tasks of a test. */
export function withoutMatch(phase: PhaseState): PhaseState {
  return {
    get current() {
      return phase.current;
    },
    advance: (to) => to !== 'matched' && phase.advance(to),
  };
}

/** What a match had closed is open again (tests: one browser, many tasks). */
export function reopen(cell: Int32Array): void {
  Atomics.compareExchange(cell, 0, ORDER.indexOf('matched'), ORDER.indexOf('armed'));
}
