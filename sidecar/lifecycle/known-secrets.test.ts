import { expect, it } from 'vitest';
import { knownSecrets } from './known-secrets.ts';

it.each([
  ['AWS_ACCESS_KEY_ID', 'AKIA0123456789', ['AKIA0123456789']],
  ['AWS_SECRET_ACCESS_KEY', 'abc/def+ghi', ['abc/def+ghi']],
  ['AWS_SESSION_TOKEN', 'token-value', ['token-value']],
  ['OPENAI_API_KEY', 'sk-0123456789', ['sk-0123456789']],
  ['API_KEYS', '["first-key","second-key"]', ['["first-key","second-key"]', 'first-key', 'second-key']],
  ['API_KEYS', '[not json', ['[not json']],
  ['CLAWBENCH_REDACT_0', 'short', ['short']],
  ['HTTPS_PROXY', 'http://me:p%40ss@proxy.test:3128', ['p%40ss', 'p@ss']],
  ['DATABASE_URL', 'not a url', []],
  ['USE_TOKEN', '1', []],
  ['USE_TOKEN', ' 1 \n\n\n\n\n\n', []],
  ['HF_TOKEN', 'hf_0123456789\n', ['hf_0123456789']],
  ['CLAWBENCH_REDACT_0', '\tkey-with-ends \r\n', ['key-with-ends']],
  ['CLAWBENCH_REDACT_0', ' \n', []],
  ['API_KEYS', '\n ["first-key\\n","second-key"]\n', ['["first-key\\n","second-key"]', 'first-key', 'second-key']],
  ['HTTPS_PROXY', 'http://me:p%40ssword@proxy.test:3128\n', ['p%40ssword', 'p@ssword']],
  [
    'CLAWBENCH_REDACT_1',
    '{"type":"service_account","private_key":"lock","nested":[{"client_secret":"deep"}],"uri":"https://x.test/"}',
    [
      '{"type":"service_account","private_key":"lock","nested":[{"client_secret":"deep"}],"uri":"https://x.test/"}',
      'lock',
      'deep',
    ],
  ],
  ['TOKENIZER', 'some-long-name', []],
  ['MONKEY', 'see-monkey-do', ['see-monkey-do']],
  ['PATH', '/usr/bin:/usr/local/bin', []],
  ['CLAWBENCH_RUN', '{"run":"a"}', []],
])('of %s=%s redacts %j', (name, value, secrets) => {
  expect(knownSecrets({ [name]: value })).toEqual(secrets);
});
