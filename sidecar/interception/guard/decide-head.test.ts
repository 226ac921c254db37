import { expect, test } from 'vitest';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import { decideHead } from './decide-head.ts';

const selfTest = { blocked: 'http://self.invalid/1', passed: 'http://127.0.0.1:7878/self/1' };
const post = compileTarget({ url_pattern: 'shop\\.test/pay', method: 'POST' });
const withBody = compileTarget({ url_pattern: 'shop\\.test/pay', method: 'POST', body: { op: 'buy' } });
const withParams = compileTarget({ url_pattern: 'shop\\.test/pay', method: 'POST', params: { a: '1' } });
const none = compileTarget({ url_pattern: '', method: 'POST' });

test.each([
  ['armed', post, 'POST', 'https://shop.test/pay', 'match'],
  ['armed', post, 'POST', 'https://u:p@Shop.test.//p%61y', 'match'],
  ['armed', post, 'GET', 'https://shop.test/pay', 'continue'],
  ['armed', post, 'POST', 'https://shop.test/basket', 'continue'],
  ['armed', withBody, 'POST', 'https://shop.test/pay', 'need-body'],
  ['armed', withBody, 'POST', 'https://shop.test/basket', 'continue'],
  ['armed', withParams, 'POST', 'https://shop.test/pay?a=2', 'continue'],
  ['armed', withParams, 'POST', 'https://shop.test/pay?a=1', 'match'],
  ['armed', none, 'POST', 'https://shop.test/pay', 'continue'],
  ['armed', post, 'GET', 'file:///etc/passwd', 'file'],
  ['armed', post, 'GET', 'FILE:///etc/passwd', 'file'],
  ['armed', post, 'GET', 'data:text/html,shop.test/pay', 'continue'],
  ['armed', post, 'GET', 'blob:https://shop.test/1', 'continue'],
  ['armed', post, 'GET', selfTest.blocked, 'self-test'],
  ['starting', post, 'GET', selfTest.blocked, 'self-test'],
  ['starting', post, 'GET', selfTest.passed, 'continue'],
  ['starting', post, 'GET', 'https://shop.test/', 'not-armed'],
  ['starting', post, 'GET', 'chrome://version/', 'continue'],
  ['matched', post, 'GET', 'https://shop.test/', 'after-match'],
  ['matched', post, 'POST', 'https://shop.test/pay', 'after-match'],
  ['frozen', post, 'GET', 'https://shop.test/', 'frozen'],
  ['lost', post, 'GET', 'https://shop.test/', 'frozen'],
  ['closed', post, 'GET', 'https://shop.test/', 'frozen'],
] as const)('%s: %o %s %s → %s', (...[phase, target, method, url, expected]) => {
  const decision = decideHead({ phase, target, selfTest }, { url, method });
  expect(decision.action === 'fail' ? decision.why : decision.action).toBe(expected);
});
