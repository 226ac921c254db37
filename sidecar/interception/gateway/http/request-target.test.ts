import { expect, test } from 'vitest';
import type { Origin } from '../policy/egress-policy.ts';
import { readRequestTarget, type TargetReading } from './request-target.ts';

function read(target: string, host: string, tunnel: Origin | null = null): TargetReading {
  return readRequestTarget({ method: 'GET', target, host, body: 0, upgrade: null, fields: '\r\n' }, tunnel);
}
const shop: Origin = { scheme: 'https', host: 'shop.test', port: 443 };

test.each<[string, string, Partial<Origin> & { path: string }]>([
  ['http://a.test/x%2F/../y?z=%61', 'a.test', { path: '/x%2F/../y?z=%61' }],
  ['HTTP://A.test', 'a.TEST:80', { host: 'A.test', path: '/' }],
  ['http://a.test:8080?q', 'a.test:8080', { port: 8080, path: '/?q' }],
  ['http://[::1]:81/', '[::1]:81', { host: '::1', port: 81, path: '/' }],
  ['http://2130706433/', '2130706433', { host: '2130706433', path: '/' }],
])('%s', (target, host, expected) => {
  const request = { scheme: 'http', host: 'a.test', port: 80, method: 'GET', ...expected };
  expect(read(target, host)).toEqual({ kind: 'request', request });
});

test('inside a tunnel the origin is the tunnel’s', () => {
  expect(read('/pay?x', 'shop.test', shop)).toEqual({
    kind: 'request',
    request: { ...shop, method: 'GET', path: '/pay?x' },
  });
  expect(read('/', 'SHOP.test:443', shop).kind).toBe('request');
});

test.each<[string, string, string, Origin | null]>([
  ['another host', 'http://a.test/', 'shop.test', null],
  ['another port', 'http://a.test/', 'a.test:81', null],
  ['a host with user info', 'http://u:p@a.test/', 'a.test', null],
  ['a Host with user info', 'http://a.test/', 'u@a.test', null],
  ['a backslash in the host', 'http://a.test\\pay', 'a.test\\pay', null],
  ['an escape in the host', 'http://a%2etest/', 'a%2etest', null],
  ['a list of hosts', 'http://a.test/', 'a.test, b.test', null],
  ['an invalid port', 'http://a.test:99999/', 'a.test:99999', null],
  ['no host', 'http:///pay', '', null],
  ['a fragment', 'http://a.test/x#/pay', 'a.test', null],
  ['only a path', '/pay', 'a.test', null],
  ['https in plain text', 'https://a.test/', 'a.test', null],
  ['an asterisk', '*', 'a.test', null],
  ['another host in a tunnel', '/', 'a.test', shop],
  ['another port in a tunnel', '/', 'shop.test:80', shop],
  ['an absolute form in a tunnel', 'http://shop.test/', 'shop.test', shop],
  ['a fragment in a tunnel', '/x#y', 'shop.test', shop],
  ['an asterisk in a tunnel', '*', 'shop.test', shop],
])('%s is refused', (_name, target, host, tunnel) => {
  expect(read(target, host, tunnel).kind).toBe('refuse');
});
