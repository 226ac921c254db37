import { expect, it } from 'vitest';
import { isLoopbackHost } from './loopback-host.ts';

it.each(['127.0.0.1:4000', '127.0.0.1', 'localhost:80', 'LOCALHOST', '[::1]:9'])('%s is loopback', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

it.each([
  undefined,
  '',
  'evil.test',
  'evil.test:4000',
  '127.0.0.1.evil.test',
  'localhost.evil.test:80',
  'localhost@evil.test',
  '0.0.0.0:4000',
  '127.0.0.1:4000,evil.test',
])('%s is not', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
