import { expect, it } from 'vitest';
import { redactCdpUrl } from './redact-url.ts';

it.each([
  ['wss://h/p?x=1', 'wss://h/p?x=1'],
  ['wss://h?signingKey=abc&x=a%20b', 'wss://h?signingKey=%5BREDACTED%5D&x=a%20b'],
  ['wss://h/?session_token=T&empty=&flag', 'wss://h/?session_token=%5BREDACTED%5D&empty=&flag'],
  ['wss://h/?%61piKey=T', 'wss://h/?%61piKey=%5BREDACTED%5D'],
  ['wss://user:pa@ss@h:1/p@q?x=1', 'wss://%5BREDACTED%5D@h:1/p@q?x=1'],
  ['//u:p@h', '//%5BREDACTED%5D@h'],
  ['wss://h/#token=T', 'wss://h/#token=%5BREDACTED%5D'],
  ['wss://h/?%E0%A4%A=1&jwt=J', 'wss://h/?%E0%A4%A=1&jwt=%5BREDACTED%5D'],
  ['', ''],
])('%s', (url, redacted) => {
  expect(redactCdpUrl(url)).toBe(redacted);
});
