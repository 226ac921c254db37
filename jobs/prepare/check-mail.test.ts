import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchSpec } from '../../crds/batch.ts';
import { leastBatch } from '../../crds/samples.fixture.ts';
import { startCatchAll, type CatchAll } from '../../mail/catch-all/start.ts';
import { checkMail } from './check-mail.ts';

const TOKEN = 'a-token-of-the-admin';
let server: CatchAll;
beforeAll(async () => {
  server = await startCatchAll({ domain: 'mail.test', adminToken: TOKEN, smtpPort: 0, webPort: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

type Provider = 'None' | 'PurelyMail' | 'SMTPCatchAll' | 'Static';

function check(provider: Provider, secret: Record<string, string>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'mail-'));
  for (const [name, value] of Object.entries(secret)) writeFileSync(join(directory, name), value);
  const mail = { provider, ...(provider === 'None' ? {} : { secretRef: { name: 'mine' } }) };
  return checkMail({ spec: batchSpec.parse({ ...leastBatch(), mail }), batchUID: 'uid' }, directory);
}
const catchAll = (adminToken: string, port = server.webPort): Record<string, string> => ({
  domain: 'mail.test',
  webUrl: `http://127.0.0.1:${String(port)}`,
  adminToken,
});

it('accepts no mail, a mailbox of the user, and a server that creates and removes mailboxes', async () => {
  await check('None', {});
  await check('Static', { email: 'a@b.test', password: 'p', loginUrl: 'https://b.test/' });
  await check('SMTPCatchAll', catchAll(TOKEN));
});

it.each([
  ['a Secret that is not there', 'PurelyMail', () => ({}), /^spec\.mail\.secretRef: Secret mine: .*key apiKey/],
  [
    'a key that is wrong',
    'SMTPCatchAll',
    () => catchAll('another-token-of-it'),
    /refused to create the mailbox \(HTTP 401\)/,
  ],
] as const)('refuses %s, and says no value', async (_what, provider, secret, sentence) => {
  const said = await check(provider, secret()).catch((error: unknown) => String((error as Error).message));
  expect(said).toMatch(sentence);
  expect(said).not.toContain('another-token');
});
