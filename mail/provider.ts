import type { Mailbox } from '../benchmark/persona/persona.ts';

/** Mailboxes of runs. Both calls may be repeated: a recorder or a sweep Job that died half-way is simply started again. */
export interface MailProvider {
  /**
   * Makes the mailbox of an attempt, with a fresh password; one that exists already is emptied or made anew.
   * @throws MailError
   */
  create(runUID: string, attempt: number): Promise<Mailbox>;
  /**
   * Removes the mailboxes of a run up to an attempt; those that are not there count as removed.
   * @throws MailError after all were tried.
   */
  remove(runUID: string, attempts: number): Promise<void>;
}

/** The mail provider failed; the sentence names neither an address nor a secret. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The same call may succeed later. */
  readonly retryable: boolean;
  constructor(message: string, retryable: boolean) {
    super(message);
    this.retryable = retryable;
  }
}
