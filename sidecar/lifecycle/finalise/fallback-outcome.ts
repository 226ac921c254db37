import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import type { Context } from '../context.ts';
import { outcomeMessageOf } from './outcome-message.ts';
import { serialiseOutcome } from './outcome-file.ts';

/** In the task's volume, which the harness can read and not write. */
export const LOST_MESSAGE = 'recorder-lost.json';

/**
 * What the shim reports when it finds no recorder any more (images/shim). Written first of all, so that even then the
 * message names the attempt and its prefix, where the evidence uploaded so far lies.
 */
export function writeLostMessage(context: Context, evidence: 'None' | 'Partial'): void {
  const decision = {
    outcome: 'Infrastructure',
    reason: 'RecorderRestarted',
    message: 'The recorder died during the attempt; its evidence is what had been uploaded by then.',
    stopReason: 'unknown',
  } as const;
  const parts = { decision, resultCategory: 'infra_failure', evidence, facts: null, evidenceSafe: null } as const;
  const message: OutcomeMessage = outcomeMessageOf(context, parts);
  rememberOutcome(context, message);
}

/** The outcome as it is known: from now on a second life of the recorder, or a shim alone, reports this. */
export function rememberOutcome(context: Context, message: OutcomeMessage): void {
  writeFileSync(join(context.environment.dirs.task, LOST_MESSAGE), serialiseOutcome(message));
}
