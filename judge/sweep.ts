import { pino } from 'pino';
import { z } from 'zod';
import { countOf } from '../benchmark/count-of.ts';
import { MAIL_PROVIDERS, MailSettingsError } from '../benchmark/mail/settings.ts';
import { MAIL_SECRET_DIR } from '../benchmark/protocol/pod-paths.ts';
import { SWEEP_LIST, sweepRow, type SweepMessage } from '../benchmark/protocol/sweep.ts';
import { readMailSecret } from '../mail/mail-secret.ts';
import { openMail } from '../mail/provider.ts';
import { sweepMailboxes } from '../mail/sweep.ts';
import { readRows } from './job/read-rows.ts';
import { writeTermination } from './job/termination.ts';

/**
 * The sweep Job: removes the mailboxes that a batch's Pods may have left, whatever became of the Pods. A mailbox that a
 * recorder removed already counts as removed. It needs the mail Secret and its list, and no right at the API server.
 */

const job = z.object({ mailProvider: z.enum(MAIL_PROVIDERS) });

async function sweep(env: NodeJS.ProcessEnv): Promise<SweepMessage> {
  const { mailProvider } = job.parse(JSON.parse(env['CLAWBENCH_JOB'] ?? 'null'));
  const settings = await readMailSecret(mailProvider, env['CLAWBENCH_MAIL_SECRET_DIR'] ?? MAIL_SECRET_DIR);
  const rows = await readRows(`${env['CLAWBENCH_LIST_DIR'] ?? '/list'}/${SWEEP_LIST}`, (row) => sweepRow.parse(row));
  const { removed, failed } = await sweepMailboxes(await openMail(settings), rows);
  const left = failed.length;
  const message =
    left === 0
      ? `The mailboxes of ${countOf(removed, 'run')} are gone.`
      : `The mailboxes of ${countOf(left, 'run')} could not be removed.`;
  return { ok: left === 0, removed, failed: left, message };
}

const log = pino({ name: 'sweep' });
try {
  const message = await sweep(process.env);
  log.info(message, 'swept');
  writeTermination(message);
} catch (error) {
  // Only our own sentences: another error's might quote the Secret.
  const message = error instanceof MailSettingsError ? error.message : 'the sweep failed';
  log.error({ message, name: error instanceof Error ? error.name : typeof error }, 'sweep failed');
  writeTermination({ ok: false, removed: 0, failed: 0, message } satisfies SweepMessage);
}
