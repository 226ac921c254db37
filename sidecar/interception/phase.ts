/**
 * How far a run's interception has come. Guard, gateway and door ask here and keep no copy, so no order of events can
 * leave one of them open after another has closed. It only ever moves forward.
 */
const ORDER = ['starting', 'armed', 'matched', 'frozen', 'lost', 'closed'] as const;
export type Phase = (typeof ORDER)[number];

export interface PhaseState {
  readonly current: Phase;
  /** Moves forward; a step back is ignored. Answers whether anything changed. */
  advance(to: Phase): boolean;
}

export function createPhase(): PhaseState {
  let current: Phase = 'starting';
  return {
    get current() {
      return current;
    },
    advance: (to) => {
      if (ORDER.indexOf(to) <= ORDER.indexOf(current)) return false;
      current = to;
      return true;
    },
  };
}
