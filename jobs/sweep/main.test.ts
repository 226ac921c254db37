import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { mailSettings } from '../../benchmark/mailbox/settings.ts';
import { startCatchAll, type CatchAll } from '../../mail/catch-all/start.ts';
import { openMail } from '../../mail/open.ts';

/** The program as its Job runs it, against the small mail server. */

const adminToken = 'admin-token-of-the-test';
let server: CatchAll | undefined;
afterEach(() => server?.close());

async function aServer(): Promise<string> {
  server = await startCatchAll({ domain: 'd.test', adminToken, smtpPort: 0, webPort: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${String(server.webPort)}`;
}

/** @returns exit code, and the termination message with all that was printed. */
async function sweep(secret: Record<string, string>, job: object): Promise<{ code: number; text: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'sweep-'));
  for (const [key, value] of Object.entries(secret)) writeFileSync(join(directory, key), value);
  const message = join(mkdtempSync(join(tmpdir(), 'sweep-log-')), 'message');
  writeFileSync(message, '');
  const env = {
    ...process.env,
    CLAWBENCH_JOB: JSON.stringify(job),
    CLAWBENCH_MAIL_SECRET_DIR: directory,
    CLAWBENCH_TERMINATION_LOG: message,
  };
  const program = join(import.meta.dirname, 'main.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [program], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), text: readFileSync(message, 'utf8') + stdout + stderr });
    });
  });
}

it('removes the mailbox of its attempt; one that is already gone counts as removed', async () => {
  const webUrl = await aServer();
  const secret = { domain: 'd.test', webUrl, adminToken };
  const { email, password } = await (await openMail(mailSettings('SMTPCatchAll', secret))).create('uid', 2);
  const signIn = async (): Promise<number> => {
    const body = new URLSearchParams({ email, password });
    return (await fetch(`${webUrl}/login`, { method: 'POST', body, redirect: 'manual' })).status;
  };
  expect(await signIn()).toBe(303);
  const job = { mailProvider: 'SMTPCatchAll', runUID: 'uid', attempt: 2 };
  expect((await sweep(secret, job)).code).toBe(0);
  expect(await signIn()).toBe(401);
  expect((await sweep(secret, job)).code).toBe(0);
});

it('fails when it cannot, so that its Job is retried, and reports why without a secret', async () => {
  const webUrl = await aServer();
  const job = { mailProvider: 'SMTPCatchAll', runUID: 'uid', attempt: 1 };
  const wrong = await sweep({ domain: 'd.test', webUrl, adminToken: 'another-token-of-somebody' }, job);
  expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining('check adminToken') as string });
  expect(wrong.text).not.toContain('another-token');
  expect(await sweep({}, job)).toMatchObject({ code: 1, text: expect.stringMatching(/domain|webUrl/) as string });
});
