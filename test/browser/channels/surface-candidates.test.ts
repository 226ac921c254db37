import { expect, test } from 'vitest';
import { candidatesOf } from './surface-candidates.ts';

test('names that could send are listed by their source, others are not', () => {
  const names = ['fetchLater', 'WebSocketStream', 'Map', 'HTMLAnchorElement.ping', 'navigator.vibrate'];
  const commands = ['Network.loadNetworkResource', 'DOM.focus'];
  const features = ['ServiceWorkerPaymentApps', 'DarkMode'];
  expect(candidatesOf({ names, commands, features })).toEqual([
    'command Network.loadNetworkResource',
    'feature ServiceWorkerPaymentApps',
    'page HTMLAnchorElement.ping',
    'page WebSocketStream',
    'page fetchLater',
  ]);
});
