import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSuite } from '../../benchmark/task/suite.ts';
import { parseTask } from '../../benchmark/task/task.ts';
import { startCatchAll, type CatchAll } from '../../mail/catch-all/start.ts';
import { inboxAddresses, MailboxFailed, openRunMailbox } from './run-mailbox.ts';
import { writeTask } from './write-task.ts';

const TOKEN = 'admin-token-of-the-test';
const run = { mail: { provider: 'SMTPCatchAll' as const }, runUID: 'uid', attempt: 1 };
let server: CatchAll;
let secret: string;
const folder = (files: Record<string, string> = {}): string => {
  const path = mkdtempSync(join(tmpdir(), 'mailbox-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
};
beforeAll(async () => {
  server = await startCatchAll({ domain: 'mail.test', adminToken: TOKEN, smtpPort: 0, webPort: 0, host: '127.0.0.1' });
  const webUrl = `http://127.0.0.1:${String(server.webPort)}`;
  secret = folder({ domain: 'mail.test', webUrl, adminToken: TOKEN });
});
afterAll(() => server.close());

it('gives the agent its mailbox in my-info and nowhere in the prompt, and redacts the secrets first', async () => {
  const hidden: string[] = [];
  const opened = openRunMailbox(run, secret, (value) => hidden.push(value));
  const mailbox = await opened.made;
  expect(hidden).toEqual([TOKEN, mailbox.password]);
  const bytes = Buffer.from(
    '{"instruction":"Sign up","eval_schema":{"url_pattern":"x","method":"POST"},"time_limit":1}',
  );
  const [suiteCase] = readSuite([{ path: '1/task.json', bytes }]).cases;
  const [taskDir, myInfoDir] = [folder(), folder()];
  const loaded = { suiteCase: suiteCase!, task: parseTask(bytes) };
  const written = await writeTask(loaded, { taskDir, myInfoDir, timeLimitSeconds: 60, mailbox });
  expect(written.email).toBe(mailbox.email);
  expect(JSON.parse(readFileSync(join(myInfoDir, 'email_credentials.json'), 'utf8'))).toEqual({
    email: mailbox.email,
    password: mailbox.password,
    login_url: `http://127.0.0.1:${String(server.webPort)}/login`,
    provider: 'ClawBench Mail',
  });
  expect(readFileSync(join(myInfoDir, 'alex_green_personal_info.json'), 'utf8')).toContain(mailbox.email);
  const prompt = readFileSync(join(taskDir, 'instruction.txt'), 'utf8');
  expect(prompt).not.toContain(mailbox.password);
  expect(prompt).not.toContain(mailbox.email);
  expect(await opened.remove()).toBe(true);
  expect(await opened.remove()).toBe(true);
});

it('reports which key of the Secret is missing, and what the server answered', async () => {
  const unset = openRunMailbox(run, folder(), () => undefined);
  await expect(unset.made).rejects.toThrow(MailboxFailed);
  expect(await unset.remove()).toBe(true);
  await expect(inboxAddresses(run, folder())).rejects.toThrow(/domain/);
  const wrong = folder({
    domain: 'mail.test',
    webUrl: `http://127.0.0.1:${String(server.webPort)}`,
    adminToken: 'x'.repeat(20),
  });
  const refused = openRunMailbox(run, wrong, () => undefined);
  await expect(refused.made).rejects.toThrow(/HTTP 401/);
  expect(await refused.remove()).toBe(true);
});

it('allows the inbox at the egress gateway, and nothing when there is none', async () => {
  expect(await inboxAddresses(run, secret)).toEqual([`127.0.0.1:${String(server.webPort)}`]);
  expect(await inboxAddresses({ mail: { provider: 'None' } }, '/nowhere')).toEqual([]);
  const none = openRunMailbox({ ...run, mail: { provider: 'None' } }, '/nowhere', () => undefined);
  expect((await none.made).email).toMatch(/\.invalid$/);
});
