import { mailSecrets, MailSettingsError } from '../../benchmark/mailbox/settings.ts';
import type { Mailbox } from '../../benchmark/persona/persona.ts';
import type { RunConfig } from '../../benchmark/protocol/run-config.ts';
import { readMailSecret } from '../../mail/mail-secret.ts';
import { openMail } from '../../mail/open.ts';
import { MailError, type MailProvider } from '../../mail/provider.ts';

/** The mailbox of this attempt, from before it exists: an attempt can end while its mailbox is being made. */
export interface RunMailbox {
  /** @throws MailboxFailed */
  readonly made: Promise<Mailbox>;
  /**
   * Removes it, once it is known whether it was made. Takes at most 20 s and never throws. A mailbox whose creation was
   * refused does not exist; one whose creation got no answer may.
   * @returns whether it is gone.
   */
  remove(): Promise<boolean>;
}

/** The mailbox could not be made; the message contains no secret. */
export class MailboxFailed extends Error {
  override readonly name = 'MailboxFailed';
}

/** The sweep Job removes a mailbox that was not removed within this time. */
const REMOVE_MS = 20_000;

/**
 * Makes the mailbox that the run's `mail` block asks for.
 * @param hide receives every value that no artifact may contain, before anything is written.
 */
export function openRunMailbox(
  run: Pick<RunConfig, 'mail' | 'runUID' | 'attempt'>,
  secretDir: string,
  hide: (secret: string) => void,
): RunMailbox {
  let mayExist = false;
  const provider = openProvider(run, secretDir, hide);
  const make = async (): Promise<Mailbox> => {
    const mail = await provider;
    mayExist = true;
    const mailbox = await mail.create(run.runUID, run.attempt).catch((error: unknown) => {
      mayExist = !(error instanceof MailError) || error.retryable;
      throw error;
    });
    if (mailbox.password !== '') hide(mailbox.password);
    return mailbox;
  };
  const made = make().catch((error: unknown) => {
    throw error instanceof MailError || error instanceof MailSettingsError ? new MailboxFailed(error.message) : error;
  });
  const removal = async (): Promise<boolean> => {
    await made.catch(() => undefined);
    if (mayExist) await (await provider).remove(run.runUID, run.attempt);
    return true;
  };
  return { made, remove: () => Promise.race([removal().catch(no), after(REMOVE_MS)]) };
}

async function openProvider(
  run: Pick<RunConfig, 'mail'>,
  secretDir: string,
  hide: (secret: string) => void,
): Promise<MailProvider> {
  const settings = await readMailSecret(run.mail.provider, secretDir);
  mailSecrets(settings).forEach(hide);
  return openMail(settings);
}

/**
 * `host:port` of a web inbox inside the cluster: the egress gateway refuses private addresses that are not allowed by name.
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

const no = (): boolean => false;

function after(ms: number): Promise<boolean> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}
