import { describe, expect, it } from 'vitest';
import { mailboxAddresses, mailboxName } from './address.ts';
import { mailSecrets, mailSettings, MailSettingsError } from './settings.ts';

it('derives mailbox names from run and attempt, so that a sweep Job knows all of them', () => {
  expect(mailboxName('uid', 1)).toMatch(/^cb[0-9a-f]{12}$/);
  expect(mailboxAddresses('uid', 2, 'd.test')).toEqual([1, 2].map((n) => `${mailboxName('uid', n)}@d.test`));
  expect(new Set(['a', 'b'].flatMap((uid) => mailboxAddresses(uid, 3, 'd')))).toHaveProperty('size', 6);
});

describe('mailSettings', () => {
  it('reads each provider’s keys without surrounding whitespace', () => {
    expect(mailSettings('PurelyMail', { apiKey: ' k\n', domain: 'd.test' })).toMatchObject({
      apiKey: 'k',
      apiUrl: 'https://purelymail.com/api/v0',
    });
    expect(mailSettings('None', { other: 'x' })).toEqual({ name: 'None' });
  });
  it.each([
    ['PurelyMail', { domain: 'd.test' }, /apiKey/],
    ['PurelyMail', { apiKey: 'SECRET', domain: 'no domain' }, /domain/],
    ['Static', { email: 'a@b.test', password: 'SECRET', loginUrl: 'ftp://x' }, /loginUrl/],
    ['SMTPCatchAll', { domain: 'd.test', webUrl: 'http://m', adminToken: 'SECRET' }, /adminToken/],
  ] as const)('%s: the message names the invalid key and no value', (name, secret, message) => {
    expect(() => mailSettings(name, secret)).toThrow(MailSettingsError);
    expect(() => mailSettings(name, secret)).toThrow(message);
    expect(() => mailSettings(name, secret)).not.toThrow(/SECRET/);
  });
  it('knows which values are secret', () => {
    const box = { email: 'a@b.test', password: 'pass', loginUrl: 'http://x.test' };
    expect(mailSecrets(mailSettings('Static', box))).toEqual(['pass']);
    expect(mailSecrets(mailSettings('None', {}))).toEqual([]);
  });
});
