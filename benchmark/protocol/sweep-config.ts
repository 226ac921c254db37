import { z } from 'zod';
import { MAIL_PROVIDERS } from '../mailbox/settings.ts';

/** What the operator passes to the sweep Job of an attempt (in `CLAWBENCH_JOB`). */
export const sweepConfig = z.object({
  mailProvider: z.enum(MAIL_PROVIDERS),
  runUID: z.string(),
  /** 1-based; the mailboxes of earlier attempts are removed too. */
  attempt: z.number().int().positive(),
});
export type SweepConfig = z.infer<typeof sweepConfig>;
