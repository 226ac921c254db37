import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lintTarget } from './target-lint.ts';
import { patternExamples } from './pattern-examples.ts';
import { patternReach } from './pattern-reach.ts';
import { unescapedCharacter } from './unescaped-characters.ts';

describe('a pattern that no request matches', () => {
  it.each([
    ['^https://Shop\\.Example/order$', 'https://shop.example/order'],
    ['^https://shop\\.example/#/order$', 'https://shop.example/'],
    ['^https://user@shop\\.example/order$', 'https://shop.example/order'],
    ['^HTTPS://shop\\.example/order$', 'https://shop.example/order'],
    ['^https://\\[0:0:0:0:0:0:0:1\\]/order$', 'https://[::1]/order'],
    ['^https://shop\\.example/a/\\.\\./order$', 'https://shop.example/order'],
    ['^https://127\\.1/order$', 'https://127.0.0.1/order'],
    ['^shop\\.example/order$', 'https://shop.example/order'],
    ['^/order$', 'https://site.example/order'],
    ['^https://shop\\.example:0443/order$', 'https://shop.example/order'],
    ['^ftp://shop\\.example/order$', 'ftp://shop.example/order'],
  ])('%s: browsers write %s', (pattern, written) => {
    const reach = patternReach(pattern);
    expect(reach.kind).toBe('never');
    if (reach.kind === 'never' && written.startsWith('https:')) expect(reach.written).toBe(written);
    const [finding] = lintTarget({ url_pattern: pattern, method: 'POST' }, []).filter(({ code }) => code === 'never');
    expect(finding).toMatchObject({ severity: 'error', pointer: '/eval_schema/url_pattern' });
    expect(finding?.message).toContain('never matches');
  });
});

describe('a pattern that a request matches has an example', () => {
  it.each([
    '^https://shop\\.example/order$',
    '^https://b\u00fccher\\.example/order$',
    '^https://shop\\.example/\u043e\u0444\u043e\u0440\u043c\u0438\u0442\u044c$',
    '^https://shop\\.example:443/order$',
    '^https?://(www\\.)?shop\\.(com|org)/(cart|basket)/add(\\?.*)?$',
    '(?i)^https://Shop\\.Example/Order$',
    '/api/(v1|v2)/orders',
    'shop\\.example/[a-z]+/\\d{4}/pay',
    '^https://shop\\.example/(?P<id>[0-9a-f]{8})/pay$',
    '^https://[^/]+/checkout\\b',
    'operationName=PlaceOrder',
    '.*',
    '^wss://shop\\.example/socket$',
    '^https://\\[::1\\]/order$',
  ])('%s', (pattern) => {
    expect(patternReach(pattern).kind).toBe('example');
    expect(lintTarget({ url_pattern: pattern, method: 'POST' }, []).filter(({ code }) => code === 'never')).toEqual([]);
  });
});

describe('a slip', () => {
  it.each([
    ['^https://shop\\.example/order?id=', '\\?id='],
    ['^https://shop\\.example/orders/{id}/pay$', '[^/]+'],
    ['/users/{user_id}/orders', '[^/]+'],
  ])('%s is told with what to write: %s', (pattern, write) => {
    expect(unescapedCharacter(pattern)?.write).toBe(write);
    expect(lintTarget({ url_pattern: pattern, method: 'POST' }, []).map(({ code }) => code)).toContain('never');
  });
  it.each([
    'https?://x\\.test/y',
    '/order\\?id=',
    '/order(\\?id=)?',
    '/a{2}/b{1,3}',
    '\\p{L}+/x',
    '/orders?/x',
    '/search[?&]colou?r=red',
    '/search\\?colou?r=red',
  ])('%s is none', (pattern) => {
    expect(unescapedCharacter(pattern)).toBeNull();
  });
});

it.each([
  ['GET', { a: 1 }, 1],
  ['HEAD', { a: 1 }, 1],
  ['POST', { a: 1 }, 0],
  ['GET', {}, 0],
])('%s with the body filter %j: %i finding', (method, body, count) => {
  const found = lintTarget({ url_pattern: '^https://x\\.test/y', method, body, params: { q: '1' } }, []);
  expect(found.filter(({ pointer }) => pointer === '/eval_schema/body')).toHaveLength(count);
});

it('examples of any literal pattern are the text itself', () => {
  const text = fc.stringMatching(/^[a-z0-9/_=-]{1,40}$/);
  fc.assert(
    fc.property(text, (literal) => {
      expect(patternExamples(literal)).toEqual([literal]);
    }),
  );
});

it('a pattern is never endless work', () => {
  const started = process.cpuUsage().user;
  expect(patternExamples('(a|b|c|d|e|f)*'.repeat(40)).length).toBeLessThanOrEqual(64);
  expect(patternExamples('(((a{60}){60}){60})').every((one) => one.length < 1_000_000)).toBe(true);
  expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
});

it.each([
  '/[a-f0-9]{128}$',
  'localhost:\\d{5}/',
  '^https?://\\d{3}(?:\\.\\d{3}){3}/',
  '/[[:alpha:]]+/checkout',
  '/\\pN+/checkout',
  '/\\Qa.b\\E/c',
  '/\\x{61}bc',
])('%s can match a request: no false alarm', (pattern) => {
  expect(patternReach(pattern).kind).not.toBe('never');
});
