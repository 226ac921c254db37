import { harnessKind } from '../models/harness-kind.ts';

/** A closed run, as far as its place in the denominators is concerned. */
export interface Standing {
  /** Our outcome; null or empty when the bundle does not say (upstream's own bundles). */
  readonly outcome: string | null;
  readonly harness: string;
  /** Upstream's `result_category`. */
  readonly resultCategory: string;
}

/** Outcomes that say something about us and nothing about the agent. */
const OURS: ReadonlySet<string> = new Set(['Infrastructure', 'InterceptionEscape', 'EvidenceIncomplete', 'Cancelled']);

/** Upstream's categories that are not the agent's result. */
const NOT_THE_AGENTS: ReadonlySet<string> = new Set([
  'infra_failure',
  'api_or_credit',
  'task_data',
  'build_instruction',
]);

/**
 * Upstream's `adjusted_eligible`, with two differences. A harness without a model stays in every denominator: its empty
 * transcript looks to upstream's rules like a broken set-up, and a floor of the scale that is left out measures nothing.
 * And a run that ended by our fault counts as no result, whatever was caught before.
 *
 * The batch's status and the objects in the store both ask here, so that the two can never show different numbers.
 */
export function isEligible({ outcome, harness, resultCategory }: Standing): boolean {
  if (isOurs(outcome)) return false;
  return !harnessKind(harness).usesModel || !NOT_THE_AGENTS.has(resultCategory);
}

/** Whether the outcome is one that no verdict can turn into a pass. */
export function isOurs(outcome: string | null): boolean {
  return outcome !== null && OURS.has(outcome);
}
