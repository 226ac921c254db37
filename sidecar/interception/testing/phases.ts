import { createPhase, type InterceptionPhase, type PhaseState } from '../phase.ts';

/**
 * Phases of tests that run many tasks under one browser. A run's own phase only moves forward; these two work on the
 * memory cell around it.
 */

/** A match changes nothing: it is blocked, reported as `after-match`, and the next request is decided as the first was. */
export function withoutMatch(phase: PhaseState): PhaseState {
  return {
    get current() {
      return phase.current;
    },
    advance: (to) => to !== 'matched' && phase.advance(to),
  };
}

/** Opens again what a match closed. What anything else closed stays closed. */
export function reopenAfterMatch(cell: Int32Array): void {
  Atomics.compareExchange(cell, 0, valueOf('matched'), valueOf('armed'));
}

/** The number that stands for a phase in shared memory. */
function valueOf(phase: InterceptionPhase): number {
  const cell = new Int32Array(1);
  createPhase(cell).advance(phase);
  return cell[0] ?? 0;
}
