import { MailSettingsError } from '../../benchmark/mailbox/settings.ts';
import { MAIL_SECRET_DIR } from '../../benchmark/protocol/pod-paths.ts';
import { readMailSecret } from '../../mail/mail-secret.ts';
import { openMail } from '../../mail/open.ts';
import { MailError } from '../../mail/provider.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { BatchRefusal } from './refusal.ts';

/**
 * Proves that runs will get their mailboxes: the Secret has the keys that its provider needs, and one mailbox can be
 * created and removed. @throws BatchRefusal
 */
export async function checkMail(
  job: Pick<JobConfig, 'spec' | 'batchUID'>,
  directory = process.env['CLAWBENCH_MAIL_SECRET_DIR'] ?? MAIL_SECRET_DIR,
): Promise<void> {
  const { provider, secretRef } = job.spec.mail;
  const field = `spec.mail.secretRef: Secret ${secretRef?.name ?? ''}`;
  try {
    const mail = await openMail(await readMailSecret(provider, directory));
    await mail.create(job.batchUID, 1);
    await mail.remove(job.batchUID, 1);
  } catch (error) {
    if (error instanceof MailSettingsError) throw new BatchRefusal('MailInvalid', `${field}: ${error.message}`);
    if (error instanceof MailError) throw new BatchRefusal('MailRefused', `${field}: ${error.message}`);
    throw error;
  }
}
