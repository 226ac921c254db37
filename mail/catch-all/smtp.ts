import { SMTPServer, type SMTPServerAddress } from 'smtp-server';
import type { Readable } from 'node:stream';
import type { Mailboxes } from './mailboxes.ts';
import { readMail } from './read-mail.ts';

/** Sign-up mails have tens of kB. */
const MAX_MAIL = 1024 * 1024;
/** Sites write to one person at a time. */
const MAX_RECIPIENTS = 20;

/** Receives mail for the mailboxes of one domain. It relays and sends none. */
export function smtpServer(mailboxes: Mailboxes, domain: string, now: () => number): SMTPServer {
  return new SMTPServer({
    name: `mail.${domain}`,
    banner: 'ClawBench mail',
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAX_MAIL,
    maxClients: 100,
    socketTimeout: 60_000,
    logger: false,
    onRcptTo: ({ address }, session, done) => {
      if (session.envelope.rcptTo.length >= MAX_RECIPIENTS) return done(refusal('too many recipients', 452));
      const known = address.toLowerCase().endsWith(`@${domain.toLowerCase()}`) && mailboxes.owner(address) !== null;
      done(known ? null : refusal('no such mailbox here'));
    },
    onData: (stream, session, done) => {
      receive(stream, session.envelope.rcptTo, mailboxes, now).then(
        (fits) => {
          if (fits) done(null);
          else done(refusal('message exceeds 1 MiB', 552));
        },
        () => {
          done(refusal('message cannot be parsed', 554));
        },
      );
    },
  });
}

async function receive(
  stream: Readable,
  to: readonly SMTPServerAddress[],
  mailboxes: Mailboxes,
  now: () => number,
): Promise<boolean> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to the end in any case, since the protocol continues after it.
    if (size <= MAX_MAIL) chunks.push(chunk);
  }
  if (size > MAX_MAIL) return false;
  const mail = await readMail(Buffer.concat(chunks), now());
  for (const { address } of to) mailboxes.deliver(address, mail);
  return true;
}

function refusal(message: string, responseCode = 550): Error {
  return Object.assign(new Error(message), { responseCode });
}
