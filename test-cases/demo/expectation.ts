import type { Rubric } from '../../benchmark/judge/rubrics.ts';

/** The expected result of one harness. */
export interface Expected {
  readonly runs: number;
  readonly intercepted: number;
  /** Matches by the batch's pass rubric. */
  readonly passed: number;
}

/** The expected result of one of the demo's batches. */
export interface ExpectedBatch {
  readonly rubric: Rubric;
  readonly harnesses: Readonly<Record<string, Expected>>;
}

/**
 * The `replay` harness completes every task. In two of the eight it submits a wrong value on purpose (a table for two instead
 * of four; a sum without one orchard), so that the judge has something to reject.
 */
export const DEMO_EXPECTATION: ExpectedBatch = {
  rubric: 'Strict',
  harnesses: {
    replay: { runs: 8, intercepted: 8, passed: 6 },
    'random-click': { runs: 8, intercepted: 0, passed: 0 },
    null: { runs: 8, intercepted: 0, passed: 0 },
  },
};

/** The imported research tasks: `replay` submits each task's own reference solution. @param tasks the number of tasks. */
export function clawEvalExpectation(tasks: number): ExpectedBatch {
  return { rubric: 'Answer', harnesses: { replay: { runs: tasks, intercepted: tasks, passed: tasks } } };
}
