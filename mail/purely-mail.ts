import { randomBytes } from 'node:crypto';
import { mailboxAddresses, mailboxName } from '../benchmark/mailbox/address.ts';
import type { MailSettings } from '../benchmark/mailbox/settings.ts';
import { mailCall, type MailAnswer } from './mail-call.ts';
import { MailError, type MailProvider } from './provider.ts';
import { removeEach } from './remove-each.ts';

/** The sign-in page for agents. */
const LOGIN_URL = 'https://purelymail.com/user/login';
const WHO = 'PurelyMail';

/**
 * Mailboxes of PurelyMail's public API. It returns errors with HTTP 200 and `type: "error"`, so the body decides.
 * @param pauseMs pause before the second try
 */
export function purelyMail(settings: Extract<MailSettings, { name: 'PurelyMail' }>, pauseMs = 500): MailProvider {
  const { apiKey, domain, apiUrl } = settings;
  const ask = (verb: string, body: Record<string, unknown>): Promise<MailAnswer> =>
    mailCall(
      {
        who: WHO,
        method: 'POST',
        url: `${apiUrl.replace(/\/+$/, '')}/${verb}`,
        headers: { 'purelymail-api-token': apiKey },
        body,
      },
      pauseMs,
    );
  const removeOne = async (address: string): Promise<void> => {
    const answer = await ask('deleteUser', { userName: address });
    if (!isDone(answer) && !isGone(answer)) throw refused(answer, 'remove');
  };
  const createOne = (userName: string, password: string): Promise<MailAnswer> =>
    ask('createUser', {
      userName,
      domainName: domain,
      password,
      enablePasswordReset: false,
      sendWelcomeEmail: false,
    });
  return {
    create: async (runUID, attempt) => {
      const name = mailboxName(runUID, attempt);
      const password = randomBytes(16).toString('base64url');
      let answer = await createOne(name, password);
      if (!isDone(answer) && isTaken(answer)) {
        // A recorder died after creating it, so its password is lost.
        await removeOne(`${name}@${domain}`);
        answer = await createOne(name, password);
      }
      if (!isDone(answer)) throw refused(answer, 'create');
      return { email: `${name}@${domain}`, password, loginUrl: LOGIN_URL, provider: WHO };
    },
    remove: (runUID, attempts) => removeEach(mailboxAddresses(runUID, attempts, domain), removeOne),
  };
}

function isDone({ status, body }: MailAnswer): boolean {
  return status >= 200 && status < 300 && body['type'] !== 'error';
}

function isTaken({ body }: MailAnswer): boolean {
  return /exist|taken|already/i.test(JSON.stringify([body['code'], body['message']]));
}

function isGone({ status, body }: MailAnswer): boolean {
  return (
    status === 404 || /not ?found|no such|not exist|unknown user/i.test(JSON.stringify([body['code'], body['message']]))
  );
}

/** Uses only the error code, since the provider's message may contain the address. */
function refused({ status, body }: MailAnswer, verb: string): MailError {
  const code = typeof body['code'] === 'string' ? `, code ${body['code'].replace(/[^\w.-]/g, '').slice(0, 40)}` : '';
  return new MailError(
    `${WHO} refused to ${verb} the mailbox (HTTP ${String(status)}${code}); check apiKey and domain in the mail Secret`,
    false,
  );
}
