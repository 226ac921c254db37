import { randomBytes } from 'node:crypto';
import { mailboxAddresses, mailboxName } from '../benchmark/mailbox/address.ts';
import type { MailSettings } from '../benchmark/mailbox/settings.ts';
import { mailCall } from './mail-call.ts';
import { MailError, type MailProvider } from './provider.ts';
import { removeEach } from './remove-each.ts';

const WHO = 'the catch-all mail server';

/** Mailboxes on the cluster's own mail server (`catch-all/`). */
export function smtpCatchAll(settings: Extract<MailSettings, { name: 'SMTPCatchAll' }>, pauseMs = 500): MailProvider {
  const { domain, webUrl, adminToken } = settings;
  const admin = (settings.adminUrl ?? webUrl).replace(/\/+$/, '');
  const headers = { authorization: `Bearer ${adminToken}` };
  const at = (address: string): string => `${admin}/admin/mailboxes/${encodeURIComponent(address)}`;
  const check = (status: number, verb: string): void => {
    if (status < 200 || status >= 300)
      throw new MailError(
        `${WHO} refused to ${verb} the mailbox (HTTP ${String(status)}); check adminToken and domain in the mail Secret`,
        false,
      );
  };
  return {
    create: async (runUID, attempt) => {
      const email = `${mailboxName(runUID, attempt)}@${domain}`;
      const password = randomBytes(16).toString('base64url');
      const body = { password };
      check((await mailCall({ who: WHO, method: 'PUT', url: at(email), headers, body }, pauseMs)).status, 'create');
      return { email, password, loginUrl: `${webUrl.replace(/\/+$/, '')}/login`, provider: 'ClawBench Mail' };
    },
    remove: (runUID, attempts) =>
      removeEach(mailboxAddresses(runUID, attempts, domain), async (address) => {
        const { status } = await mailCall({ who: WHO, method: 'DELETE', url: at(address), headers }, pauseMs);
        if (status !== 404) check(status, 'remove');
      }),
  };
}
