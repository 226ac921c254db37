import { beforeEach, expect, test } from 'vitest';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import { createPhase, type PhaseState } from '../phase.ts';
import { pausedMessage } from '../pipe/pause.fixture.ts';
import { createFastPath } from './fast-path.ts';

let phase: PhaseState;
let calls: string[];

beforeEach(() => {
  phase = createPhase();
  phase.advance('armed');
  calls = [];
});

function fastPathFor(schema: unknown): (message: Buffer) => boolean {
  return createFastPath({
    target: compileTarget(schema),
    phase,
    selfTest: { blocked: 'http://self.invalid/', passed: 'http://127.0.0.1:1/' },
    pauses: { opened: (id) => calls.push(`opened ${id}`), continue: (id) => calls.push(`continue ${id}`) },
    continued: (at, message, urgent) => calls.push(`continued ${at} ${message.length} ${urgent ? 'urgent' : 'calm'}`),
    now: () => 5,
  });
}

const pause = (url: string, method = 'POST', resourceType = 'XHR'): Buffer =>
  Buffer.from(pausedMessage({ requestId: '7', url, method, resourceType }));

const PAY = { url_pattern: '/pay', method: 'POST' };

test('a request that is not the target continues, and is reported after that', () => {
  const message = pause('https://shop.test/basket');
  expect(fastPathFor(PAY)(message)).toBe(true);
  expect(calls).toEqual(['opened 7', 'continue 7', `continued 5 ${message.length} calm`]);
});

test('a navigation is reported as urgent', () => {
  fastPathFor(PAY)(pause('https://shop.test/', 'GET', 'Document'));
  expect(calls.at(-1)).toMatch(/urgent$/);
});

test.each([
  ['a match', PAY, 'https://shop.test/pay'],
  ['a match in another spelling', PAY, 'https://shop.test/%70ay'],
  ['a match whose body decides', { ...PAY, body: { a: 1 } }, 'https://shop.test/pay'],
  ['a file', PAY, 'file:///etc/passwd'],
  ['the self-test', PAY, 'http://self.invalid/'],
  ['a URL that must be unescaped', PAY, 'https://shop.test/"'],
])('%s is left to the guard, the second time too', (_name, schema, url) => {
  const pass = fastPathFor(schema);
  expect([pass(pause(url)), pass(pause(url))]).toEqual([false, false]);
  expect(calls).toEqual([]);
});

test.each(['matched', 'frozen', 'lost', 'closed'] as const)('nothing continues once the run is %s', (over) => {
  const pass = fastPathFor(PAY);
  pass(pause('https://shop.test/basket'));
  phase.advance(over);
  expect(pass(pause('https://shop.test/basket'))).toBe(false);
});

test('nothing continues before the run is armed', () => {
  phase = createPhase();
  expect(fastPathFor(PAY)(pause('https://shop.test/basket'))).toBe(false);
});
