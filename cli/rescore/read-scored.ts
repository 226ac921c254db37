import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import type { Dimensions } from '../../benchmark/aggregate/full-summary.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';
import { readRuns, scoredRun } from '../../judging/summary/read-runs.ts';
import { isReadable } from '../../judging/bundle/read-stored-run.ts';
import { findBundles } from './find-bundles.ts';
import type { BundleLocation } from './open-bundle-location.ts';

/** All readable runs below a place as the tables take them, and how many could not be read. */
export async function readScoredRuns(
  place: BundleLocation,
  rubrics: readonly Rubric[],
): Promise<{ runs: readonly (ScoredRun & Dimensions)[]; unreadable: number }> {
  const bundles = await findBundles(place);
  const whole = bundles.filter(({ problem }) => problem === null).map(({ prefix }) => prefix);
  const runs = (await readRuns(place.store, whole, rubrics)).filter(isReadable);
  const passRubric = rubrics.at(-1) ?? null;
  return { runs: runs.map((run) => scoredRun(run, passRubric, null)), unreadable: bundles.length - runs.length };
}
