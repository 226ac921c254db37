import { expect, test } from 'vitest';
import { compileTarget } from '../../benchmark/request/predicate.ts';
import { memoizeTarget } from './memoized-target.ts';

test('a verdict is the same each time, for each method its own, and made once', () => {
  let asked = 0;
  const target = compileTarget({ url_pattern: '/pay', method: 'POST' });
  const remembered = memoizeTarget({
    ...target,
    matchesHead: (head) => {
      asked += 1;
      return target.matchesHead(head);
    },
  });
  const url = 'https://shop.test/pay';
  for (let n = 0; n < 3; n += 1) {
    expect(remembered.matchesHead({ url, method: 'GET' })).toBe(false);
    expect(remembered.matchesHead({ url, method: 'POST' })).toBe(true);
  }
  expect(asked).toBe(2);
});
