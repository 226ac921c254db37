import { z } from 'zod';

/** What the operator and the sweep Job exchange: runs whose Pods may have left mailboxes, and what became of them. */

/** File of the Job's list (a ConfigMap, see `row-list.ts`): an array of these. */
export const SWEEP_LIST = 'mailboxes.json';
export const sweepRow = z.object({
  uid: z.string(),
  /** Attempts that were ever started: each had a mailbox of its own. */
  attempts: z.number().int().nonnegative(),
});
export type SweepRow = z.infer<typeof sweepRow>;

/** Termination message of the Job's pod. */
export const sweepMessage = z.object({
  ok: z.boolean(),
  /** Runs that have no mailbox any more. */
  removed: z.number().int(),
  /** Runs whose mailboxes could not be removed. */
  failed: z.number().int(),
  message: z.string(),
});
export type SweepMessage = z.infer<typeof sweepMessage>;
