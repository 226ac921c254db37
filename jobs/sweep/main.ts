import { pino } from 'pino';
import { MailSettingsError } from '../../benchmark/mailbox/settings.ts';
import { MAIL_SECRET_DIR } from '../../benchmark/protocol/pod-paths.ts';
import { sweepConfig } from '../../benchmark/protocol/sweep-config.ts';
import { readMailSecret } from '../../mail/mail-secret.ts';
import { openMail } from '../../mail/open.ts';
import { MailError } from '../../mail/provider.ts';
import { writeTermination } from '../pod/termination-message.ts';

/**
 * The sweep Job of an attempt: removes the mailbox that its Pod may have left. One that is gone already counts as
 * removed. It needs the mail Secret and no right at the API server; whether it is tried again is the Job controller's to
 * do, by its exit code.
 */
async function sweep(env: NodeJS.ProcessEnv): Promise<void> {
  const { mailProvider, runUID, attempt } = sweepConfig.parse(JSON.parse(env['CLAWBENCH_JOB'] ?? 'null'));
  const settings = await readMailSecret(mailProvider, env['CLAWBENCH_MAIL_SECRET_DIR'] ?? MAIL_SECRET_DIR);
  await (await openMail(settings)).remove(runUID, attempt);
}

const log = pino({ name: 'sweep' });
try {
  await sweep(process.env);
  log.info('swept');
} catch (error) {
  // Only our own sentences: another error's might quote the Secret.
  const ours = error instanceof MailSettingsError || error instanceof MailError;
  const message = ours ? error.message : 'the sweep failed';
  log.error({ message, name: error instanceof Error ? error.name : typeof error }, 'sweep failed');
  writeTermination({ message });
  process.exitCode = 1;
}
