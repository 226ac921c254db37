import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CASE_FILES, hasCaseFiles } from '../../../../test/shared-data.ts';
import { patternHosts } from './pattern-hosts.ts';

test.each([
  ['shop\\.example\\.com/cart', 'shop.example.com', true],
  ['shop\\.example\\.com/cart', 'www.shop.example.com', true],
  ['shop\\.example\\.com/cart', 'cdn.example.org', false],
  ['shop.example.com/cart', 'shop.example.com', true],
  ['shop.example.com/cart', 'other.example.org', false],
  ['^https://shop\\.example\\.com/cart', 'shop.example.com', true],
  ['^https://shop\\.example\\.com/cart', 'evil-shop.example.com', false],
  ['https?:\\/\\/shop\\.example\\.com\\/cart', 'shop.example.com', true],
  ['https?:\\/\\/shop\\.example\\.com\\/cart', 'cdn.example.org', false],
  ['(www\\.)?example\\.com/x', 'www.example.com', true],
  ['a\\.test/x|b\\.test/y', 'b.test', true],
  ['a\\.test/x|b\\.test/y', 'c.test', false],
  ['shop\\.test:8443/x', 'shop.test', true],
  ['^https://bücher\\.test/x', 'xn--bcher-kva.test', true],
  ['^https://bücher\\.test/x', 'xn--bchr-kva.test', false],
  // no readable host: the pattern can match any
  ['/api/checkout', 'anything.test', true],
  ['checkout', 'anything.test', true],
  ['a\\.test/x|/y', 'anything.test', true],
  ['(?:a\\.test/x|b\\.test/y)', 'anything.test', true],
  ['a\\.test.*/x', 'a.test', true],
  ['a\\.test.*/x', 'www.a.test.example', true],
  ['a\\.test.*/x', 'other.test', false],
  ['a\\.test[^/]*/x', 'other.test', false],
  ['[^/]+\\.test/x', 'anything.test', true],
])('%s: %s → %s', (pattern, host, expected) => {
  expect(patternHosts(pattern)(host, 8443)).toBe(expected);
});

const CASES = join(CASE_FILES, 'corpus_regex.json');

/** Matching URLs for all 127 patterns of the public corpora. */
test.runIf(hasCaseFiles)(
  'no host of a URL that a corpus pattern matches is missed, and most patterns name their host',
  () => {
    const { cases } = JSON.parse(readFileSync(CASES, 'utf8')) as {
      cases: { input: { url_pattern: string; url: string }; expected: { match: boolean } }[];
    };
    const matching = cases.filter(
      ({ input, expected }) => expected.match && /^https:\/\/[a-z0-9.-]+\//.test(input.url),
    );
    const missed = matching.filter(({ input }) => !patternHosts(input.url_pattern)(new URL(input.url).hostname, 443));
    expect(missed.map(({ input }) => input)).toEqual([]);
    const named = matching.filter(({ input }) => !patternHosts(input.url_pattern)('cdn.other.test', 443));
    expect(named.length).toBeGreaterThan(matching.length / 2);
  },
);
