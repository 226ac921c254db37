import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * A site that lets nobody in without a mail, for tests: who registers is sent a link, behind which the account is opened
 * by a POST. `GET /opened`: accounts that were opened.
 */
const MAIL_HOST = process.env['MAIL_HOST'] ?? '127.0.0.1';
const MAIL_PORT = Number(process.env['MAIL_PORT'] ?? '25');
let opened = 0;

/** Sends one mail by plain SMTP. @throws Error with the server's answer. */
async function sendMail(to: string, link: string): Promise<void> {
  const socket = connect(MAIL_PORT, MAIL_HOST);
  const lines = createInterface({ input: socket });
  const answers = lines[Symbol.asyncIterator]();
  const said = async (): Promise<void> => {
    for (;;) {
      const { value = '' } = (await answers.next()) as { value?: string };
      if (!/^[23]/.test(value)) throw new Error(`the mail server said ${value}`);
      if (value[3] !== '-') return;
    }
  };
  const mail = [
    'From: Membership <hello@signup.test>',
    `To: <${to}>`,
    'Subject: Open your account',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Follow this link: ${link}`,
    '.',
  ].join('\r\n');
  try {
    await said();
    for (const line of ['EHLO signup.test', 'MAIL FROM:<hello@signup.test>', `RCPT TO:<${to}>`, 'DATA', mail, 'QUIT']) {
      socket.write(`${line}\r\n`);
      await said();
    }
  } finally {
    socket.destroy();
  }
}

function page(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>Membership</title><body>${body}</body>`);
}

async function read(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
  return new URLSearchParams(text);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'signup.test'}`);
  const what = `${request.method ?? ''} ${url.pathname}`;
  if (what === 'POST /register') {
    const email = (await read(request)).get('email') ?? '';
    await sendMail(email, `${url.origin}/open?code=4711`);
    return page(response, '<p id="sent">We sent you a link.</p>');
  }
  if (what === 'POST /accounts') {
    opened += 1;
    return page(response, '<p>Welcome.</p>');
  }
  if (what === 'GET /opened') return page(response, String(opened));
  if (what === 'GET /open')
    return page(response, '<form method="post" action="/accounts"><button>Open my account</button></form>');
  return page(
    response,
    '<form method="post" action="/register"><input name="email" type="email"><button>Register</button></form>',
  );
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    page(response, `<p id="failed">${String(error)}</p>`, 502);
  });
});
server.listen(Number(process.env['PORT'] ?? '8083'));
process.on('SIGTERM', () => process.exit(0));
