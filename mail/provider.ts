import type { Mailbox } from '../benchmark/persona/persona.ts';

/** Mailboxes of runs. Both calls can be repeated, since a recorder or sweep Job that died is started again. */
export interface MailProvider {
  /**
   * Creates the mailbox of an attempt with a new password. An existing one is emptied, or deleted and created again.
   * @throws MailError
   */
  create(runUID: string, attempt: number): Promise<Mailbox>;
  /**
   * Removes the mailboxes of a run up to an attempt. Missing mailboxes count as removed.
   * @throws MailError after all have been tried
   */
  remove(runUID: string, attempts: number): Promise<void>;
}

/** The mail provider failed. The message contains neither an address nor a secret. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  constructor(message: string, retryable: boolean) {
    super(message);
    this.retryable = retryable;
  }
}
