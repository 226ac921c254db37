import type { Rubric } from '../../benchmark/judge/rubrics.ts';

/** What has to come out for one harness. */
export interface Expected {
  readonly runs: number;
  readonly intercepted: number;
  /** Matches by the batch's pass rubric. */
  readonly passed: number;
}

/** What one of the demo's batches must come to. */
export interface ExpectedBatch {
  readonly rubric: Rubric;
  readonly harnesses: Readonly<Record<string, Expected>>;
}

/**
 * replay reaches every task; in two of the eight it submits a wrong value on purpose (a table for two instead of four; a
 * sum with one orchard left out), so that the judge has something to refuse.
 */
export const DEMO_EXPECTATION: ExpectedBatch = {
  rubric: 'Strict',
  harnesses: {
    replay: { runs: 8, intercepted: 8, passed: 6 },
    'random-click': { runs: 8, intercepted: 0, passed: 0 },
    null: { runs: 8, intercepted: 0, passed: 0 },
  },
};

/** The imported research tasks: replay hands in each task's own reference solution. @param tasks how many there are. */
export function clawEvalExpectation(tasks: number): ExpectedBatch {
  return { rubric: 'Answer', harnesses: { replay: { runs: tasks, intercepted: tasks, passed: tasks } } };
}
