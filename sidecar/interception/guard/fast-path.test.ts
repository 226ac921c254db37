import { beforeEach, expect, test } from 'vitest';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import { createPhase, type PhaseState } from '../phase.ts';
import { pausedMessage } from '../pipe/pause.fixture.ts';
import { createFastPath } from './fast-path.ts';

let phase: PhaseState;
let said: string[];

beforeEach(() => {
  phase = createPhase();
  phase.advance('armed');
  said = [];
});

function quickPass(schema: unknown): (message: Buffer) => boolean {
  return createFastPath({
    target: compileTarget(schema),
    phase,
    selfTest: { blocked: 'http://self.invalid/', passed: 'http://127.0.0.1:1/' },
    pauses: { opened: (id) => said.push(`opened ${id}`), continue: (id) => said.push(`continue ${id}`) },
    passed: (at, message, urgent) => said.push(`passed ${at} ${message.length} ${urgent ? 'urgent' : 'calm'}`),
    now: () => 5,
  });
}

const pause = (url: string, method = 'POST', resourceType = 'XHR'): Buffer =>
  Buffer.from(pausedMessage({ requestId: '7', url, method, resourceType }));

const PAY = { url_pattern: '/pay', method: 'POST' };

test('what is not the target goes on, then it is told', () => {
  const message = pause('https://shop.test/basket');
  expect(quickPass(PAY)(message)).toBe(true);
  expect(said).toEqual(['opened 7', 'continue 7', `passed 5 ${message.length} calm`]);
});

test('a tab that navigates is told at once', () => {
  quickPass(PAY)(pause('https://shop.test/', 'GET', 'Document'));
  expect(said.at(-1)).toMatch(/urgent$/);
});

test.each([
  ['a match', PAY, 'https://shop.test/pay'],
  ['a match in another spelling', PAY, 'https://shop.test/%70ay'],
  ['a head that fits where the body decides', { ...PAY, body: { a: 1 } }, 'https://shop.test/pay'],
  ['a file', PAY, 'file:///etc/passwd'],
  ['the self-test', PAY, 'http://self.invalid/'],
  ['an address that has to be unescaped', PAY, 'https://shop.test/"'],
])('%s is the guard’s, the second time too', (_name, schema, url) => {
  const pass = quickPass(schema);
  expect([pass(pause(url)), pass(pause(url))]).toEqual([false, false]);
  expect(said).toEqual([]);
});

test.each(['matched', 'frozen', 'lost', 'closed'] as const)('nothing goes on once the run is %s', (over) => {
  const pass = quickPass(PAY);
  pass(pause('https://shop.test/basket'));
  phase.advance(over);
  expect(pass(pause('https://shop.test/basket'))).toBe(false);
});

test('before the run is armed nothing goes on', () => {
  phase = createPhase();
  expect(quickPass(PAY)(pause('https://shop.test/basket'))).toBe(false);
});
