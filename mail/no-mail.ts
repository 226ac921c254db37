import { NO_MAILBOX } from '../benchmark/persona/persona.ts';
import type { MailProvider } from './provider.ts';

/** No mail: an address that cannot exist, nothing to remove. */
export const NO_MAIL: MailProvider = {
  create: () => Promise.resolve(NO_MAILBOX),
  remove: () => Promise.resolve(),
};
