import { expect, test } from 'vitest';
import { isLocalProgram } from './caller.ts';

test.each([
  [{ host: '127.0.0.1:9222' }, true],
  [{ host: 'localhost:9222' }, true],
  [{ host: 'LOCALHOST' }, true],
  [{ host: '[::1]:9222' }, true],
  [{ host: 'rebound.example:9222' }, false],
  [{ host: 'localhost.example' }, false],
  [{ host: '127.0.0.1.example' }, false],
  [{}, false],
  [{ host: '127.0.0.1:9222', origin: 'https://a.test' }, false],
  [{ host: '127.0.0.1:9222', origin: 'null' }, false],
  [{ host: '127.0.0.1:9222', 'sec-fetch-site': 'none' }, false],
])('%j → %s', (headers, expected) => {
  expect(isLocalProgram({ headers })).toBe(expected);
});
