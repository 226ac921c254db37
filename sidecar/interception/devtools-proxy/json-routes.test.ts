import { expect, test } from 'vitest';
import { browserRoute, rewriteDevToolsUrls } from './json-routes.ts';

test.each([
  ['GET', '/json', '/json'],
  ['GET', '/json/', '/json'],
  ['GET', '/json/version', '/json/version'],
  ['GET', '/json/version/', '/json/version'],
  ['GET', '/json/list?t=1', '/json/list'],
  ['GET', '/json/protocol', '/json/protocol'],
  ['PUT', '/json/new?https://a.test/?x=1', '/json/new?https://a.test/?x=1'],
  ['GET', '/json/new?https://a.test/', null],
  ['GET', '/json/activate/ABC', '/json/activate/ABC'],
  ['GET', '/json/close/ABC', '/json/close/ABC'],
  ['GET', '/json/close/../version', null],
  ['POST', '/json/version', null],
  ['GET', '/devtools/inspector.html', null],
  ['GET', '/', null],
])('%s %s → %s', (method, url, path) => {
  expect(browserRoute(method, url)?.path ?? null).toBe(path);
});

test('URLs point at the address that the client used, and nothing else changes', () => {
  const body =
    '{"a":"ws://localhost/devtools/browser/1","f":"/devtools/inspector.html?ws=localhost:9222/devtools/page/2","url":"ws://site.test/socket"}';
  expect(JSON.parse(rewriteDevToolsUrls(body, '127.0.0.1:5000'))).toEqual({
    a: 'ws://127.0.0.1:5000/devtools/browser/1',
    f: '/devtools/inspector.html?ws=127.0.0.1:5000/devtools/page/2',
    url: 'ws://site.test/socket',
  });
});
