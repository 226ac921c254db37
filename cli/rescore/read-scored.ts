import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import type { FullRunDimensions } from '../../benchmark/aggregate/full-summary.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';
import { readRuns, scoredRun } from '../../judging/summary/read-runs.ts';
import { isReadable } from '../../judging/bundle/read-stored-run.ts';
import { findBundles } from './find-bundles.ts';
import type { BundleLocation } from './open-bundle-location.ts';

/** All readable runs at a location with their scores, and the number of runs that could not be read. */
export async function readScoredRuns(
  location: BundleLocation,
  rubrics: readonly Rubric[],
): Promise<{ runs: readonly (ScoredRun & FullRunDimensions)[]; unreadable: number }> {
  const bundles = await findBundles(location);
  const whole = bundles.filter(({ problem }) => problem === null).map(({ prefix }) => prefix);
  const runs = (await readRuns(location.store, whole, rubrics)).filter(isReadable);
  const passRubric = rubrics.at(-1) ?? null;
  return { runs: runs.map((run) => scoredRun(run, passRubric, null)), unreadable: bundles.length - runs.length };
}
