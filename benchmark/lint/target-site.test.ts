import { expect, it } from 'vitest';
import { patternDomain, siteDomain } from './target-site.ts';

it.each([
  ['shop\\.test\\.com/api', 'test.com'],
  ['^https?://(www\\.)?shop\\.co\\.uk\\/x', 'shop.co.uk'],
  ['https:\\/\\/[a-z]+\\.shop\\.com/', 'shop.com'],
  ['(a|b)-api\\.shop\\.com', 'shop.com'],
  ['^https://bücher\\.example\\.com/x', 'example.com'],
  ['^https://www\\.bücher\\.com/x', 'xn--bcher-kva.com'],
  ['(?i)^https://Shop\\.com/x', 'shop.com'],
  ['/api/task-submit', null],
  ['shop\\.(com|org)/x', null],
  ['127.0.0.1/x', null],
  ['.*', null],
])('%s is about %s', (pattern, domain) => {
  expect(patternDomain(pattern)).toBe(domain);
});

it.each([
  ['https://www.Shop.com/x', 'shop.com'],
  ['shop.com/app', 'shop.com'],
  ['https://bücher.com/x', 'xn--bcher-kva.com'],
  ['www.xn--bcher-kva.com', 'xn--bcher-kva.com'],
  ['web', null],
  ['', null],
])('%s belongs to %s', (site, domain) => {
  expect(siteDomain(site)).toBe(domain);
});
