import type { MailSettings } from '../benchmark/mailbox/settings.ts';
import type { MailProvider } from './provider.ts';

/** One mailbox of the user for all runs. It is never removed or emptied, so runs see each other's mail. */
export function staticMail(settings: Extract<MailSettings, { name: 'Static' }>): MailProvider {
  const { email, password, loginUrl, provider } = settings;
  return {
    create: () => Promise.resolve({ email, password, loginUrl, provider }),
    remove: () => Promise.resolve(),
  };
}
