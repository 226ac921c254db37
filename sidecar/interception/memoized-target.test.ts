import { expect, test } from 'vitest';
import { compileTarget } from '../../benchmark/request/predicate.ts';
import { memoizeTarget } from './memoized-target.ts';

test('a decision is the same each time, separate for each method, and computed once', () => {
  let calls = 0;
  const target = compileTarget({ url_pattern: '/pay', method: 'POST' });
  const memoized = memoizeTarget({
    ...target,
    matchesHead: (head) => {
      calls += 1;
      return target.matchesHead(head);
    },
  });
  const url = 'https://shop.test/pay';
  for (let n = 0; n < 3; n += 1) {
    expect(memoized.matchesHead({ url, method: 'GET' })).toBe(false);
    expect(memoized.matchesHead({ url, method: 'POST' })).toBe(true);
  }
  expect(calls).toBe(2);
});
