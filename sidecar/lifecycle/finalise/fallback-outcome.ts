import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import type { Context } from '../context.ts';
import { outcomeMessageOf } from './outcome-message.ts';
import { serialiseOutcome } from './outcome-file.ts';

/** In the task's volume, which the harness can read but not write. */
export const FALLBACK_OUTCOME_FILE = 'recorder-lost.json';

/**
 * Writes what the shim reports when the recorder does not answer any more (images/shim). Written before anything else,
 * so that the message always names the attempt and the prefix where the evidence uploaded so far is stored.
 */
export function writeFallbackOutcome(context: Context, evidence: 'None' | 'Partial'): void {
  const decision = {
    outcome: 'Infrastructure',
    reason: 'RecorderRestarted',
    message: 'The recorder died during the attempt; only the evidence uploaded by then is kept.',
    stopReason: 'unknown',
  } as const;
  const parts = { decision, resultCategory: 'infra_failure', evidence, facts: null, evidenceSafe: null } as const;
  const message: OutcomeMessage = outcomeMessageOf(context, parts);
  storeOutcome(context, message);
}

/** Stores the outcome as known now: a restarted recorder, or a shim without a recorder, reports this. */
export function storeOutcome(context: Context, message: OutcomeMessage): void {
  writeFileSync(join(context.environment.dirs.task, FALLBACK_OUTCOME_FILE), serialiseOutcome(message));
}
