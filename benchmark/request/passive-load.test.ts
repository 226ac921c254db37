import { describe, expect, it } from 'vitest';
import { isPassive } from './passive-load.ts';

describe('isPassive', () => {
  it.each([
    ['Image', 'GET', {}, true],
    ['Prefetch', 'GET', {}, true],
    ['Document', 'GET', { 'Sec-Purpose': 'prefetch;prerender' }, true],
    ['Fetch', 'GET', { purpose: 'prefetch' }, true],
    ['CSPViolationReport', 'POST', {}, true],
    ['Document', 'GET', {}, false],
    ['Fetch', 'GET', {}, false],
    ['Ping', 'POST', {}, false],
    ['Image', 'POST', {}, false],
    ['Fetch', 'POST', { 'sec-purpose': 'prefetch' }, false],
    ['', 'GET', {}, false],
    ['Other', 'GET', {}, true],
    ['Other', 'HEAD', {}, true],
    ['Other', 'POST', {}, false],
    ['XHR', 'GET', {}, false],
    ['Document', 'GET', { 'sec-purpose': 'navigate' }, false],
    ['Document', 'GET', { accept: 'prefetch' }, false],
    ['Document', 'GET', { 'not-the-purpose': 'prefetch' }, false],
    ['Document', 'GET', { 'purpose-of-it': 'prefetch' }, false],
    ['Document', 'GET', { accept: '*/*', 'X-Moz': 'prefetch' }, true],
    ['Document', 'GET', { 'x-purpose': 'preview' }, true],
  ])('%s %s %j: %s', (resourceType, method, headers, passive) => {
    expect(isPassive({ resourceType, method, headers: headers })).toBe(passive);
  });
});
