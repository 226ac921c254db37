import type { MailSettings } from '../benchmark/mailbox/settings.ts';
import type { MailProvider } from './provider.ts';

/** The provider of a batch's mail block, without connecting to it. The module of a provider is loaded only if it is used. */
export async function openMail(settings: MailSettings): Promise<MailProvider> {
  switch (settings.name) {
    case 'PurelyMail':
      return (await import('./purely-mail.ts')).purelyMail(settings);
    case 'SMTPCatchAll':
      return (await import('./smtp-catch-all.ts')).smtpCatchAll(settings);
    case 'Static':
      return (await import('./static-mail.ts')).staticMail(settings);
    case 'None':
      return (await import('./no-mail.ts')).NO_MAIL;
  }
}
