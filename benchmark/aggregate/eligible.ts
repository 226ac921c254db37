import { harnessKind } from '../models/harness-kind.ts';
import { isNonResult } from '../outcome/outcome.ts';
import { INELIGIBLE_CATEGORIES } from '../outcome/upstream-category.ts';

/** What decides whether a closed run counts in the denominators. */
export interface EligibilityFacts {
  /** Our outcome; null or empty when the bundle does not say (upstream's own bundles). */
  readonly outcome: string | null;
  readonly harness: string;
  /** Upstream's `result_category`. */
  readonly resultCategory: string;
}

/**
 * Upstream's `adjusted_eligible`, with two differences. A harness without a model stays in every denominator: upstream's
 * rules take its empty transcript for a broken setup, and a baseline that is left out measures nothing. And a run whose
 * outcome is not a result of the agent is ineligible, even if its request was intercepted before.
 *
 * The batch's status and the objects in the store both use this function, so they cannot show different numbers.
 */
export function isEligible({ outcome, harness, resultCategory }: EligibilityFacts): boolean {
  if (isNonResult(outcome)) return false;
  return !harnessKind(harness).usesModel || !INELIGIBLE_CATEGORIES.has(resultCategory);
}
