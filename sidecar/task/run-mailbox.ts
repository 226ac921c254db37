import { mailSecrets, MailSettingsError } from '../../benchmark/mailbox/settings.ts';
import type { Mailbox } from '../../benchmark/persona/persona.ts';
import type { RunConfig } from '../../benchmark/protocol/run-config.ts';
import { readMailSecret } from '../../mail/mail-secret.ts';
import { openMail } from '../../mail/open.ts';
import { MailError, type MailProvider } from '../../mail/provider.ts';

/** The mailbox of this attempt, from before it is there: an attempt can end while its mailbox is being made. */
export interface RunMailbox {
  /** @throws MailboxFailed */
  readonly made: Promise<Mailbox>;
  /**
   * Removes it, once it is known whether it was made; bounded in time, never throws, and says nothing but whether it went
   * well. What was refused is not there; what had no answer may be.
   */
  remove(): Promise<boolean>;
}

/** No mailbox could be made; the sentence holds no secret. */
export class MailboxFailed extends Error {
  override readonly name = 'MailboxFailed';
}

/** The attempt's sweep Job removes what was not removed in this time. */
const REMOVE_MS = 20_000;

/**
 * Makes the mailbox that the run's `mail` block asks for.
 * @param hide is told every value that no artefact may hold, before anything can be written.
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
  const removed = async (): Promise<boolean> => {
    await made.catch(() => undefined);
    if (mayExist) await (await provider).remove(run.runUID, run.attempt);
    return true;
  };
  return { made, remove: () => Promise.race([removed().catch(no), after(REMOVE_MS)]) };
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

const no = (): boolean => false;

function after(ms: number): Promise<boolean> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}
