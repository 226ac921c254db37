import { mailSecrets, MailSettingsError } from '../../benchmark/mail/settings.ts';
import type { Mailbox } from '../../benchmark/persona.ts';
import type { RunConfig } from '../../benchmark/protocol/run-config.ts';
import { readMailSecret } from '../../mail/mail-secret.ts';
import { MailError, openMail } from '../../mail/provider.ts';

/** The mailbox of this attempt. */
export interface RunMailbox {
  readonly mailbox: Mailbox;
  /** Removes it; bounded in time, never throws, and says nothing but whether it went well. */
  remove(): Promise<boolean>;
}

/** No mailbox could be made; the sentence holds no secret. */
export class MailboxFailed extends Error {
  override readonly name = 'MailboxFailed';
}

/** The sweeper removes what was not removed in this time. */
const REMOVE_MS = 20_000;

/**
 * Makes the mailbox that the run's `mail` block asks for.
 * @param hide is told every value that no artefact may hold, before anything can be written.
 * @throws MailboxFailed
 */
export async function openRunMailbox(
  run: Pick<RunConfig, 'mail' | 'runUID' | 'attempt'>,
  secretDir: string,
  hide: (secret: string) => void,
): Promise<RunMailbox> {
  try {
    const settings = await readMailSecret(run.mail.provider, secretDir);
    mailSecrets(settings).forEach(hide);
    const provider = await openMail(settings);
    const mailbox = await provider.create(run.runUID, run.attempt);
    if (mailbox.password !== '') hide(mailbox.password);
    const removed = (): Promise<boolean> => provider.remove(run.runUID, run.attempt).then(yes, no);
    return { mailbox, remove: () => Promise.race([removed(), after(REMOVE_MS)]) };
  } catch (error) {
    if (error instanceof MailError || error instanceof MailSettingsError) throw new MailboxFailed(error.message);
    throw error;
  }
}

/**
 * `host:port` of a web inbox inside the cluster: the browser's gateway refuses private addresses unless they are named.
 * @throws MailboxFailed
 */
export async function inboxAddresses(run: Pick<RunConfig, 'mail'>, secretDir: string): Promise<readonly string[]> {
  if (run.mail.provider !== 'SMTPCatchAll') return [];
  try {
    const settings = await readMailSecret('SMTPCatchAll', secretDir);
    return settings.name === 'SMTPCatchAll' ? [hostAndPort(settings.webUrl)] : [];
  } catch (error) {
    throw error instanceof MailSettingsError ? new MailboxFailed(error.message) : error;
  }
}

function hostAndPort(text: string): string {
  const url = new URL(text);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return `${url.hostname}:${port}`;
}

const yes = (): boolean => true;
const no = (): boolean => false;

function after(ms: number): Promise<boolean> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}
