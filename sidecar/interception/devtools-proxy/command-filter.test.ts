import { expect, test } from 'vitest';
import { filterCommand, readCommand } from './command-filter.ts';

const decision = (method: string, params?: Record<string, unknown>): string => {
  const result = filterCommand({ id: 1, method, ...(params === undefined ? {} : { params }) });
  return result.kind === 'acknowledge' && result.close ? 'acknowledge and close' : result.kind;
};

test.each([
  ['Page.navigate', { url: 'https://a.test' }, 'forward'],
  ['Fetch.enable', {}, 'forward'],
  ['Fetch.fulfillRequest', {}, 'forward'],
  ['Network.setExtraHTTPHeaders', {}, 'forward'],
  ['Target.getTargets', undefined, 'forward'],
  ['Target.attachToBrowserTarget', undefined, 'forward'],
  ['Target.attachToTarget', { targetId: 'T', flatten: true }, 'forward'],
  ['Target.attachToTarget', { targetId: 'T' }, 'refuse'],
  ['Target.attachToTarget', { targetId: 'T', flatten: 'true' }, 'refuse'],
  ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, 'forward'],
  ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true }, 'refuse'],
  ['Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false }, 'forward'],
  ['Target.setAutoAttach', undefined, 'refuse'],
  ['Target.sendMessageToTarget', { message: '{}' }, 'refuse'],
  ['Target.exposeDevToolsProtocol', {}, 'refuse'],
  ['Target.setRemoteLocations', {}, 'refuse'],
  ['Target.openDevTools', {}, 'refuse'],
  ['Network.loadNetworkResource', {}, 'refuse'],
  ['Browser.setDownloadBehavior', {}, 'acknowledge'],
  ['Page.setDownloadBehavior', {}, 'acknowledge'],
  ['Browser.close', undefined, 'acknowledge and close'],
  ['Browser.crash', undefined, 'refuse'],
  ['Extensions.loadUnpacked', {}, 'refuse'],
  ['Tethering.bind', {}, 'refuse'],
  ['PWA.install', {}, 'refuse'],
  ['toString', undefined, 'forward'],
  ['constructor.x', undefined, 'forward'],
])('%s %j → %s', (method, params, expected) => {
  expect(decision(method, params)).toBe(expected);
});

test('a refusal names the command and the reason', () => {
  expect(filterCommand({ id: 1, method: 'Network.loadNetworkResource' })).toMatchObject({
    message: expect.stringMatching(/loadNetworkResource.*cannot see/) as string,
  });
});

test('a context’s own proxy is removed, the rest stays', () => {
  const params = { proxyServer: 'direct://', proxyBypassList: '*', disposeOnDetach: true };
  expect(filterCommand({ id: 1, method: 'Target.createBrowserContext', params, sessionId: 'S' })).toEqual({
    kind: 'forward',
    command: { id: 1, method: 'Target.createBrowserContext', params: { disposeOnDetach: true }, sessionId: 'S' },
  });
});

test('a command is rebuilt from what was checked', () => {
  expect(
    readCommand('{"id":1,"method":"Page.enable","method":"Network.loadNetworkResource","extra":1,"sessionId":"S"}'),
  ).toEqual({
    id: 1,
    method: 'Network.loadNetworkResource',
    sessionId: 'S',
  });
});

test.each([
  '',
  'x',
  '[]',
  'null',
  '1',
  '{}',
  '{"id":"1","method":"A.b"}',
  '{"id":1,"method":2}',
  '{"id":1,"method":"A.b","params":[]}',
  '{"id":1,"method":"A.b","sessionId":5}',
  `${'['.repeat(200_000)}`,
])('not a command: %.60s', (text) => {
  expect(readCommand(text)).toBeNull();
});
