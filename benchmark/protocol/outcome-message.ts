import { z } from 'zod';
import { OUTCOMES, REASONS } from '../outcome/outcome.ts';
import { reportedUsage } from './reported-usage.ts';

/**
 * The termination message of the `harness` container (written by the shim) and of the `recorder`, and the reply of
 * `POST /api/finalise`. At most 2 KiB: the kubelet truncates each message to 12 KiB divided by the number of containers.
 * Everything else is in the bundle's `attempt-meta.json`.
 */
export const outcomeMessage = z.object({
  v: z.literal(1),
  attempt: z.number().int(),
  outcome: z.enum(OUTCOMES),
  reason: z.enum(REASONS),
  /** One sentence, at most 300 characters. */
  message: z.string(),
  /** Upstream's words. `stopReason` is `eval_matched` after an interception. */
  stopReason: z.string(),
  resultCategory: z.string(),
  intercepted: z.boolean(),
  /** `Complete`: the manifest is stored. `Partial`: some objects are. `None`: nothing is. */
  evidence: z.enum(['Complete', 'Partial', 'None']),
  /** Key prefix of the attempt below the store's prefix, with trailing slash. */
  prefix: z.string(),
  /** Milliseconds since the epoch; null: not reached. */
  times: z.object({
    started: z.number(),
    armed: z.number().nullable(),
    agentStarted: z.number().nullable(),
    stopped: z.number().nullable(),
    evidenceSafe: z.number().nullable(),
  }),
  counts: z.object({ actions: z.number(), requests: z.number(), screenshots: z.number(), bytes: z.number() }),
  usage: reportedUsage,
  isolation: z.enum(['Namespace', 'DoorOnly']),
  agentIsolated: z.boolean(),
  /** The attempt's mailbox was removed or never existed; false: the sweep Job has to remove it. */
  mailboxRemoved: z.boolean().default(false),
  /** Another attempt of the same batch UID has claimed the run: this is that attempt's outcome, and nothing was paid twice. */
  claimedByAttempt: z.number().nullable().default(null),
});
export type OutcomeMessage = z.infer<typeof outcomeMessage>;
