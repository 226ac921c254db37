import { q, type Channel } from './channel.ts';

/** One target, and other spellings of its URL, including those that the browser normalizes today. */
const spelled = (name: string, spell: (url: URL) => string): Channel => ({
  name: `spelling: ${name}`,
  method: 'GET',
  matched: 'intercepted',
  script: (url) => `location.href = ${q(spell(new URL(url)))}`,
});

export const SPELLINGS: readonly Channel[] = [
  spelled('user info', (url) => url.href.replace('://', '://user:secret@')),
  spelled('two slashes', (url) => `${url.origin}/${url.pathname}`),
  spelled('a needless escape', (url) => url.href.replace('/t', '/%74')),
  spelled('a needless escape, lower case', (url) => url.href.replace('/to', '/t%6f')),
  spelled('dot segments', (url) => `${url.origin}/a/../.${url.pathname}`),
  spelled('escaped dot segments', (url) => `${url.origin}/a/%2e%2E${url.pathname}`),
  spelled('backslashes', (url) =>
    url.href.replace(url.origin, url.origin.replace('//', '\\\\')).replace('/token', '\\token'),
  ),
  spelled('line ends inside', (url) => url.href.replace('/to', '/t\n\to')),
  spelled('a fragment', (url) => `${url.href}#later`),
  spelled('an address of two numbers', (url) => url.href.replace('127.0.0.1', '127.1')),
  spelled('a hexadecimal address', (url) => url.href.replace('127.0.0.1', '0x7f000001')),
  spelled('full-width digits', (url) => url.href.replace('127.0.0.1', '１27.0.0.1')),
  spelled('scheme in capitals', (url) => url.href.replace('https', 'HTTPS')),
];
