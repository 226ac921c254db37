import { expect, test } from 'vitest';
import { compileTarget } from '../../../../benchmark/request/predicate.ts';
import { webSocketRule } from './websocket-rule.ts';

const refuses = (schema: unknown, url: string): boolean[] => {
  const rule = webSocketRule(compileTarget(schema));
  const { hostname } = new URL(url);
  return [rule.refusesUrl(url), rule.refusesHost(hostname, 443)];
};

test.each([
  [{ url_pattern: 'shop\\.test/live', method: 'GET' }, 'wss://shop.test/live', [true, true]],
  [{ url_pattern: 'shop\\.test/live', method: 'GET' }, 'wss://shop.test/chat', [false, true]],
  [{ url_pattern: 'shop\\.test/live', method: 'GET' }, 'wss://other.test/live', [false, false]],
  [{ url_pattern: '^https://shop\\.test/live', method: 'GET' }, 'wss://shop.test/live', [true, true]],
  [{ url_pattern: 'shop\\.test/live', method: '' }, 'ws://shop.test/live', [true, true]],
  [{ url_pattern: 'shop\\.test/live', method: 'POST' }, 'wss://shop.test/live', [false, false]],
  [{ url_pattern: '', method: 'GET' }, 'wss://shop.test/live', [false, false]],
])('%j %s → URL, host: %j', (schema, url, expected) => {
  expect(refuses(schema, url)).toEqual(expected);
});
