import type { Dimensions } from '../../benchmark/aggregate/full-summary.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';

/**
 * A run whose bundle is missing or cannot be read, in the tables: as infrastructure. Upstream drops it, and its rates
 * then rise by what was lost; here it stays in the denominator.
 */
export function lostRun(run: Dimensions & Pick<ScoredRun, 'task' | 'repetition'>): ScoredRun & Dimensions {
  const { task, repetition, model, harness, group, metaclass, site } = run;
  const dimensions = { task, repetition, model, harness, group, metaclass, site };
  return { ...dimensions, intercepted: false, eligible: false, nonResult: true, passed: false, verdicts: {} };
}
