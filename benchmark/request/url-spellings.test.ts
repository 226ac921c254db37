import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsedSpellings, urlSpellings, wantedSpellings } from './url-spellings.ts';

test.each([
  'https://shop.example/cart/add?id=7&q=a%26b%2Fc',
  'http://127.0.0.1:8080/',
  "https://a-b.c1.example:8443/x;y=1/(z)/it's",
])('%s has one spelling', (url) => {
  expect(urlSpellings(url)).toEqual([url]);
  expect(parsedSpellings(url)).toEqual([url]);
});

test.each([
  ['https://u:p@Shop.Example.:443//%68it', 'https://shop.example/hit'],
  ['http://2130706433/x', 'http://127.0.0.1/x'],
  ['http://shop.example/a/../hit', 'http://shop.example/hit'],
  ['http://shop.example/a/%2e%2E/hit', 'http://shop.example/hit'],
  ['http://shop.example\\hit', 'http://shop.example/hit'],
  ['http://shop.example:80/hit', 'http://shop.example/hit'],
  ['http://shop.example/hit#x', 'http://shop.example/hit'],
  ['http://shop.example', 'http://shop.example/'],
  ['http://shop.example/x?%70ay', 'http://shop.example/x?pay'],
  ['http://ｓhop.example/', 'http://shop.example/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://127.0.0.01/', 'http://127.0.0.1/'],
  ['http://u@shop.example/hit', 'http://shop.example/hit'],
  ['http://:p@shop.example/hit', 'http://shop.example/hit'],
  ['ws://shop.example//hit', 'ws://shop.example/hit'],
  ['wss://shop.example//hit', 'wss://shop.example/hit'],
  ['http://shop.example//a///b', 'http://shop.example/a/b'],
  ['http://shop.example//a?to=//b', 'http://shop.example/a?to=//b'],
  ['http://shop.example/a//', 'http://shop.example/a/'],
  ['http://shop.example../hit', 'http://shop.example/hit'],
  ['http://Shop.example/%68it', 'http://shop.example/%68it'],
  // as a person would write it
  ['https://xn--bcher-kva.example/order', 'https://bücher.example/order'],
  ['https://xn--bcher-kva.example:8443/order', 'https://bücher.example:8443/order'],
  ['https://shop.example/%D0%BE', 'https://shop.example/о'],
  ['https://shop.example/%d0%be', 'https://shop.example/%D0%BE'],
  ['https://xn--bcher-kva.example/%D0%BE', 'https://bücher.example/о'],
  ['https://shop.example/orders/%7Bid%7D/pay', 'https://shop.example/orders/{id}/pay'],
  ['https://shop.example/a%20b?c=%22d%22', 'https://shop.example/a b?c="d"'],
  ['https://shop.example/order?', 'https://shop.example/order'],
  ['https://shop.example/a%2fb', 'https://shop.example/a%2Fb'],
  ...['2d-', '300', '399', '41A', '5aZ', '5f_', '50P', '61a', '6fo', '70p', '7az', '7e~'].map(
    (both): [string, string] => [`http://shop.example/x%${both.slice(0, 2)}`, `http://shop.example/x${both.slice(2)}`],
  ),
])('%s is also %s', (url, spelling) => {
  expect(urlSpellings(url)).toContain(spelling);
  expect(urlSpellings(url)[0]).toBe(url);
});

test.each([
  'ftp://Shop.example//a',
  'xhttp://Shop.example//%68it',
  'httpx://Shop.example//%68it',
  'about:blank',
  'mailto:http:%68',
  'no url',
  '',
])('%s is none of a site’s: as it stands', (url) => {
  expect(urlSpellings(url)).toEqual([url]);
});

test.each([
  ['https://shop.example:443/order', 'https://shop.example/order', 'https://shop.example:443/order'],
  ['http://shop.example:80/order', 'http://shop.example/order', 'http://shop.example:80/order'],
  ['/%d0%be', 'https://shop.example/%D0%BE', 'https://shop.example/%d0%be'],
])('a pattern %s asks for %s as %s', (pattern, url, spelling) => {
  expect(urlSpellings(url, wantedSpellings(pattern))).toContain(spelling);
});

test.each([
  ['an escaped delimiter', 'https://shop.example/a%2Fb', 'https://shop.example/a/b'],
  ['an escaped question mark', 'https://shop.example/a%3Fb', 'https://shop.example/a?b'],
  ['an escaped escape', 'https://shop.example/%2568it', 'https://shop.example/%68it'],
  ['a line break', 'https://shop.example/a%0Ab', 'https://shop.example/a\nb'],
  ['bytes that are not UTF-8', 'https://shop.example/%FF', 'https://shop.example/\u00ff'],
  ['a query that is not empty', 'https://shop.example/order?a', 'https://shop.example/order'],
  ['another port', 'https://shop.example:8443/order', 'https://shop.example/order'],
])('%s is not undone: a server may tell %s from %s', (_what, url, other) => {
  expect(urlSpellings(url, { lowerHex: true, defaultPort: true })).not.toContain(other);
});

/** A URL that is taken for one with a single spelling by mistake would slip past a pattern. */
test('whatever a URL is made of, its looks say what parsing it would', () => {
  const piece = fc.constantFrom(
    ...[
      'http://',
      'https://',
      'ws://',
      'wss://',
      'HTTP://',
      'ftp://',
      'u:p@',
      'a',
      'Z',
      '7',
      '0x7f',
      '256',
      '127.0.0.1',
    ],
    ...[
      'shop.test',
      'xn--',
      'xn--a',
      'xn--mgba3a',
      '-',
      '_',
      '.',
      '..',
      '/',
      '//',
      '\\',
      ':80',
      ':443',
      ':8080',
      ':0',
      ':99999',
      ':',
    ],
    ...[
      '?',
      '#',
      '%',
      '%2e',
      '%2E',
      '%41',
      '%5f',
      '%5F',
      '%20',
      '%C3%A9',
      '%7e',
      '%2f',
      '%zz',
      '&',
      '=',
      "'",
      '"',
      '(',
      ')',
    ],
    ...[
      ';',
      ',',
      '@',
      '+',
      '*',
      '!',
      '$',
      '~',
      '|',
      '^',
      '`',
      '{',
      '[',
      ']',
      '<',
      ' ',
      '\t',
      '\n',
      '\0',
      'é',
      'ｓ',
      '。',
      '\u00ad',
      '\ud800',
    ],
  );
  const url = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc
      .tuple(fc.constantFrom('http://shop.test', 'https://a.b:81/x', 'ws://a/'), fc.array(piece, { maxLength: 8 }))
      .map(([start, pieces]) => start + pieces.join('')),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  );
  fc.assert(
    fc.property(url, (text) => {
      expect(urlSpellings(text)).toEqual(parsedSpellings(text));
    }),
    { numRuns: 6_000 },
  );
});
