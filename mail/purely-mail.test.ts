import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { mailSettings, type MailSettings } from '../benchmark/mailbox/settings.ts';
import { MailError } from './provider.ts';
import { purelyMail } from './purely-mail.ts';

interface Seen {
  readonly verb: string;
  readonly token: string;
  readonly body: Record<string, unknown>;
}
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});
const DONE = { status: 200, body: { type: 'success', result: {} } };
const TAKEN = { status: 200, body: { type: 'error', code: 'userExists', message: 'cb@d.test already exists' } };
const GONE = { status: 200, body: { type: 'error', code: 'notFound', message: 'User not found' } };
const DENIED = { status: 200, body: { type: 'error', code: 'unauthorized', message: 'token THE-KEY of cb1@d.test' } };

/** PurelyMail's API after a script of answers; the last one repeats. */
async function api(...script: { status: number; body: object }[]): Promise<{ seen: Seen[]; settings: PurelyMail }> {
  const seen: Seen[] = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      seen.push({ verb: request.url ?? '', token: String(request.headers['purelymail-api-token']), body });
      const answer = script[Math.min(seen.length, script.length) - 1] ?? DONE;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/v0`;
  return { seen, settings: mailSettings('PurelyMail', { apiKey: 'THE-KEY', domain: 'd.test', apiUrl }) as PurelyMail };
}
type PurelyMail = Extract<MailSettings, { name: 'PurelyMail' }>;

it('creates a mailbox as upstream does, and returns how to sign in', async () => {
  const { seen, settings } = await api(DONE);
  const box = await purelyMail(settings, 1).create('uid', 1);
  expect(box).toMatchObject({ provider: 'PurelyMail', loginUrl: 'https://purelymail.com/user/login' });
  expect(box.email).toMatch(/^cb[0-9a-f]{12}@d\.test$/);
  expect(seen).toEqual([
    {
      verb: '/api/v0/createUser',
      token: 'THE-KEY',
      body: {
        userName: box.email.split('@')[0],
        domainName: 'd.test',
        password: box.password,
        enablePasswordReset: false,
        sendWelcomeEmail: false,
      },
    },
  ]);
  expect(box.password.length).toBeGreaterThanOrEqual(20);
});

it('creates a mailbox again that a dead recorder left', async () => {
  const { seen, settings } = await api(TAKEN, DONE, DONE);
  const box = await purelyMail(settings, 1).create('uid', 1);
  expect(seen.map(({ verb }) => verb.split('/').at(-1))).toEqual(['createUser', 'deleteUser', 'createUser']);
  expect(seen[1]?.body).toEqual({ userName: box.email });
});

it('removes the mailboxes of all attempts by their derived addresses, also if some are gone', async () => {
  const { seen, settings } = await api(GONE, DONE);
  const boxes = purelyMail(settings, 1);
  await boxes.remove('uid', 3);
  const made = await Promise.all([1, 2, 3].map(async (attempt) => (await boxes.create('uid', attempt)).email));
  expect(new Set(seen.slice(0, 3).map(({ body }) => body['userName']))).toEqual(new Set(made));
});

it('retries after 503 and 429', async () => {
  const { seen, settings } = await api({ status: 503, body: {} }, { status: 429, body: {} }, DONE);
  await purelyMail(settings, 1).remove('uid', 1);
  expect(seen).toHaveLength(3);
});

it('reports an outage as retryable and a refusal as final, without key or address in the message', async () => {
  const outage = await api({ status: 500, body: {} });
  await expect(purelyMail(outage.settings, 1).create('uid', 1)).rejects.toMatchObject({ retryable: true });
  server?.close();
  const { settings } = await api(DENIED);
  const refusal = await purelyMail(settings, 1)
    .create('uid', 1)
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(MailError);
  expect(refusal).toMatchObject({ retryable: false });
  expect((refusal as Error).message).toMatch(/unauthorized.*apiKey/);
  expect((refusal as Error).message).not.toMatch(/THE-KEY|@/);
});

it('removes the others even if one cannot be removed', async () => {
  const { seen, settings } = await api(DENIED, DONE);
  await expect(purelyMail(settings, 1).remove('uid', 4)).rejects.toThrow(MailError);
  expect(seen).toHaveLength(4);
});
