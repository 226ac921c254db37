import { NO_MAILBOX } from '../benchmark/persona/persona.ts';
import type { MailProvider } from './provider.ts';

/** The provider None: an address that cannot receive mail, and nothing to remove. */
export const NO_MAIL: MailProvider = {
  create: () => Promise.resolve(NO_MAILBOX),
  remove: () => Promise.resolve(),
};
