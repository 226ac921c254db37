import { expect, test } from 'vitest';
import { routeRules, routeTo, splitHostPort } from './route.ts';

const rules = routeRules(
  {
    allow: ['site.bench.svc:80', '127.0.0.1:8080', '[fd00::1]:443'],
    map: [
      { host: 'Shop.Example', address: 'site.bench.svc:80' },
      { host: 'bank.example', address: 'https://10.0.0.5:8443' },
      { host: 'bücher.test', address: 'site.bench.svc:80' },
    ],
  },
  7878,
);
const kind = (host: string, port: number, request?: { method: string; path: string }): unknown => {
  const route = routeTo(rules, { host, port }, request);
  return route.kind === 'direct' ? (route.allowPrivate ? 'allowed' : 'public') : route.kind;
};

test.each([
  ['example.com', 443, undefined, 'public'],
  ['site.bench.svc', 80, undefined, 'allowed'],
  ['SITE.bench.svc.', 80, undefined, 'allowed'],
  ['site.bench.svc', 81, undefined, 'public'],
  ['localhost', 8080, undefined, 'allowed'],
  ['fd00::1', 443, undefined, 'allowed'],
  ['10.0.0.5', 8443, undefined, 'allowed'],
  ['10.0.0.5', 8444, undefined, 'public'],
  ['shop.example', 443, undefined, 'mapped'],
  ['SHOP.example.', 80, undefined, 'mapped'],
  ['xn--bcher-kva.test', 443, undefined, 'mapped'],
  ['www.shop.example', 443, undefined, 'public'],
  ['127.0.0.1', 7878, { method: 'GET', path: '/submit' }, 'answer-page'],
  ['localhost', 7878, { method: 'POST', path: '/api/task-submit' }, 'answer-page'],
  ['127.0.0.1', 7878, { method: 'POST', path: '/submit' }, 'refuse'],
  ['127.0.0.1', 7878, { method: 'POST', path: '/api/stop' }, 'refuse'],
  ['127.0.0.1', 7878, { method: 'GET', path: '/submit?x' }, 'refuse'],
  ['127.0.0.1', 7878, { method: 'GET', path: '/submit/../api/status' }, 'refuse'],
  ['127.0.0.1', 7878, undefined, 'refuse'],
  ['::1', 7878, undefined, 'refuse'],
  ['127.9.9.9', 7878, undefined, 'refuse'],
  ['0.0.0.0', 7878, undefined, 'refuse'],
  ['x.localhost', 7878, undefined, 'refuse'],
] as const)('%s:%d %j → %s', (host, port, request, expected) => {
  expect(kind(host, port, request)).toBe(expected);
});

test('a mapped host is connected as its address says', () => {
  expect(routeTo(rules, { host: 'bank.example', port: 443 })).toEqual({
    kind: 'mapped',
    host: '10.0.0.5',
    port: 8443,
    tls: true,
  });
  expect(routeTo(rules, { host: 'shop.example', port: 443 })).toEqual({
    kind: 'mapped',
    host: 'site.bench.svc',
    port: 80,
    tls: false,
  });
});

test.each([
  ['a:1', { host: 'a', port: 1 }],
  ['[::1]:443', { host: '::1', port: 443 }],
  ['a', null],
  ['a:0', null],
  ['a:65536', null],
  ['a:b', null],
  ['::1:443', null],
  ['a/b:1', null],
  ['a b:1', null],
  ['[a b]:1', null],
  ['[::1:1', null],
])('%s', (text, expected) => {
  expect(splitHostPort(text)).toEqual(expected);
});

test('a malformed address is an error that names it', () => {
  expect(() => routeRules({ allow: ['nohost'], map: [] }, 1)).toThrow(/network\.allow: "nohost"/);
  expect(() => routeRules({ allow: [], map: [{ host: 'a', address: 'b' }] }, 1)).toThrow(/network\.map: "b"/);
});
