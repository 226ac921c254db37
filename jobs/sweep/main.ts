import { pino } from 'pino';
import { MailSettingsError } from '../../benchmark/mailbox/settings.ts';
import { MAIL_SECRET_DIR } from '../../benchmark/protocol/pod-paths.ts';
import { sweepConfig } from '../../benchmark/protocol/sweep-config.ts';
import { readMailSecret } from '../../mail/mail-secret.ts';
import { openMail } from '../../mail/open.ts';
import { MailError } from '../../mail/provider.ts';
import { writeTermination } from '../pod/termination-message.ts';

/**
 * The sweep Job of an attempt: it removes the mailbox that the attempt's Pod may have left behind. A mailbox that is
 * already gone counts as removed. The Job needs the mail Secret and no permission at the API server; the Job controller
 * retries it when its exit code is not 0.
 */
async function sweep(env: NodeJS.ProcessEnv): Promise<void> {
  const { mailProvider, runUID, attempt } = sweepConfig.parse(JSON.parse(env['CLAWBENCH_JOB'] ?? 'null'));
  const settings = await readMailSecret(mailProvider, env['CLAWBENCH_MAIL_SECRET_DIR'] ?? MAIL_SECRET_DIR);
  await (await openMail(settings)).remove(runUID, attempt);
}

const log = pino({ name: 'sweep' });
try {
  await sweep(process.env);
  log.info('mailbox removed');
} catch (error) {
  // Only our own messages: that of another error could quote the Secret.
  const ours = error instanceof MailSettingsError || error instanceof MailError;
  const message = ours ? error.message : 'the mailbox could not be removed';
  log.error({ message, name: error instanceof Error ? error.name : typeof error }, 'mailbox not removed');
  writeTermination({ message });
  process.exitCode = 1;
}
