import { connect, createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailSettings } from '../../benchmark/mailbox/settings.ts';
import type { Mailbox } from '../../benchmark/persona/persona.ts';
import { openMail } from '../open.ts';
import { MailError, type MailProvider } from '../provider.ts';
import { startCatchAll, type CatchAll } from './start.ts';

const TOKEN = 'admin-token-of-the-test';
let server: CatchAll;
let web: string;
let provider: MailProvider;
beforeAll(async () => {
  const where = { smtpPort: 0, webPort: 0, host: '127.0.0.1' };
  server = await startCatchAll({ domain: 'mail.test', adminToken: TOKEN, ...where });
  web = `http://127.0.0.1:${String(server.webPort)}`;
  provider = await openMail(mailSettings('SMTPCatchAll', { domain: 'mail.test', webUrl: web, adminToken: TOKEN }));
});
afterAll(() => server.close());

/** A sender of the plainest kind. @returns the server's last answer. */
async function sendMail(to: string, message: string): Promise<string> {
  const socket = connect(server.smtpPort, '127.0.0.1').setEncoding('utf8');
  const answers = socket[Symbol.asyncIterator]() as AsyncIterator<string>;
  let last = String((await answers.next()).value);
  for (const line of ['HELO site.test', 'MAIL FROM:<shop@site.test>', `RCPT TO:<${to}>`, 'DATA', `${message}\r\n.`]) {
    socket.write(`${line}\r\n`);
    last = String((await answers.next()).value);
    if (!/^[23]/.test(last)) break;
  }
  socket.end();
  return last;
}
const mail = (subject: string, type: string, body: string): string =>
  `From: Shop <shop@site.test>\r\nSubject: ${subject}\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}`;
const signIn = (box: Pick<Mailbox, 'email' | 'password'>): Promise<Response> =>
  fetch(`${web}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: box.email, password: box.password }),
    redirect: 'manual',
  });
async function inbox(box: Mailbox, path = '/inbox'): Promise<Response> {
  const cookie = (await signIn(box)).headers.get('set-cookie')?.split(';')[0] ?? '';
  return fetch(web + path, { headers: { cookie }, redirect: 'manual' });
}

describe('the catch-all mail server', () => {
  it('shows a sign-up mail with its link to anyone with the password', async () => {
    const box = await provider.create('uid-1', 1);
    expect(box).toMatchObject({
      email: expect.stringMatching(/^cb[0-9a-f]{12}@mail\.test$/),
      provider: 'ClawBench Mail',
    });
    expect(box.loginUrl).toBe(`${web}/login`);
    const html =
      '<p>Welcome &amp; hello</p><a href="https://site.test/confirm?a=1&amp;b=2">Confirm</a><script>x()</script>';
    expect(await sendMail(box.email, mail('=?utf-8?q?Best=C3=A4tigen?=', 'text/html', html))).toMatch(/^250/);
    const list = await (await inbox(box)).text();
    expect(list).toContain('Bestätigen');
    expect(list).toContain('shop@site.test');
    const shown = await (await inbox(box, '/mail/1')).text();
    expect(shown).toContain('Welcome &amp; hello');
    expect(shown).toContain('href="https://site.test/confirm?a=1&amp;b=2"');
    expect(shown).not.toContain('x()');
  });
  it('treats the content of a mail as text', async () => {
    const box = await provider.create('uid-2', 1);
    await sendMail(box.email, mail('<img src=x>', 'text/plain', '</pre><script>alert(1)</script> javascript:alert(1)'));
    const answer = await inbox(box, '/mail/1');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const shown = await answer.text();
    expect(shown).not.toContain('<script>');
    expect(shown).not.toContain('<img');
    expect(shown).not.toContain('href="javascript');
  });
  it('accepts mail for name+tag, and none for unknown addresses or other domains', async () => {
    const box = await provider.create('uid-3', 1);
    expect(await sendMail(box.email.replace('@', '+shop@'), mail('tagged', 'text/plain', 'x'))).toMatch(/^250/);
    expect(await (await inbox(box)).text()).toContain('tagged');
    expect(await sendMail('nobody@mail.test', mail('s', 'text/plain', 'x'))).toMatch(/^550/);
    expect(await sendMail('a@elsewhere.test', mail('s', 'text/plain', 'x'))).toMatch(/^550/);
  });
  it('refuses a mail that is too large, and continues', async () => {
    const box = await provider.create('uid-4', 1);
    const big = Array.from({ length: 20_000 }, () => 'x'.repeat(70)).join('\r\n');
    expect(await sendMail(box.email, mail('big', 'text/plain', big))).toMatch(/^552/);
    expect(await sendMail(box.email, mail('small', 'text/plain', 'x'))).toMatch(/^250/);
    expect(await (await inbox(box)).text()).not.toContain('big');
  });
  it('requires the password, and allows no access once the mailbox is removed', async () => {
    const box = await provider.create('uid-5', 2);
    expect((await signIn({ ...box, password: 'wrong' })).status).toBe(401);
    expect((await fetch(`${web}/inbox`, { redirect: 'manual' })).headers.get('location')).toBe('/login');
    const cookie = (await signIn(box)).headers.get('set-cookie')?.split(';')[0] ?? '';
    await provider.remove('uid-5', 3);
    await provider.remove('uid-5', 3);
    expect((await fetch(`${web}/inbox`, { headers: { cookie }, redirect: 'manual' })).status).toBe(303);
    expect((await signIn(box)).status).toBe(401);
  });
  it('creates an empty mailbox for a repeated attempt', async () => {
    const first = await provider.create('uid-6', 1);
    await sendMail(first.email, mail('old', 'text/plain', 'x'));
    const again = await provider.create('uid-6', 1);
    expect(again.email).toBe(first.email);
    expect(again.password).not.toBe(first.password);
    expect((await signIn(first)).status).toBe(401);
    expect(await (await inbox(again)).text()).toContain('There is no mail yet');
  });
  it.each(['', 'Bearer wrong', `Basic ${TOKEN}`])(
    'allows management only with the token (%s)',
    async (authorization) => {
      const answer = await fetch(`${web}/admin/mailboxes/a@mail.test`, {
        method: 'DELETE',
        headers: { authorization },
      });
      expect(answer.status).toBe(401);
    },
  );
  it('says what to check when the token is wrong', async () => {
    const settings = mailSettings('SMTPCatchAll', { domain: 'mail.test', webUrl: web, adminToken: 'x'.repeat(16) });
    const failing = (await openMail(settings)).create('u', 1);
    await expect(failing).rejects.toThrow(MailError);
    await expect(failing).rejects.toThrow(/adminToken/);
  });
});

it.each(['smtpPort', 'webPort'] as const)(
  'says so when %s is taken, and leaves no half of it listening',
  async (taken) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const free = await freePort();
    const ports = { smtpPort: free, webPort: free, [taken]: port };
    await expect(startCatchAll({ domain: 'd', adminToken: TOKEN, host: '127.0.0.1', ...ports })).rejects.toThrow(
      /EADDRINUSE/,
    );
    await new Promise((resolve) => other.close(resolve));
    const again = await startCatchAll({ domain: 'd', adminToken: TOKEN, host: '127.0.0.1', ...ports });
    await again.close();
  },
);

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

it('accepts a mail for a few recipients, not for hundreds', async () => {
  const box = await provider.create('uid-7', 1);
  const socket = connect(server.smtpPort, '127.0.0.1').setEncoding('utf8');
  const answers = socket[Symbol.asyncIterator]() as AsyncIterator<string>;
  await answers.next();
  const codes: string[] = [];
  const recipients = Array.from({ length: 30 }, (_, tag) => `RCPT TO:<${box.email.replace('@', `+${String(tag)}@`)}>`);
  for (const line of ['HELO site.test', 'MAIL FROM:<shop@site.test>', ...recipients]) {
    socket.write(`${line}\r\n`);
    codes.push(String((await answers.next()).value).slice(0, 3));
  }
  socket.end();
  expect(codes.slice(2, 22)).toEqual(Array(20).fill('250'));
  expect(codes.slice(22)).toEqual(Array(10).fill('452'));
});
