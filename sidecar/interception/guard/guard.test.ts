import { beforeEach, expect, test } from 'vitest';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import type { InterceptionEvent } from '../../contracts.ts';
import { createPhase, type PhaseState } from '../phase.ts';
import type { PausedBody } from '../pipe/paused-body.ts';
import { createGuard, LOGGED_BODY_BYTES, MATCHED_BODY_BYTES, type Guard } from './guard.ts';

let events: InterceptionEvent[];
let answers: string[];
let bodyCleared: string[];
let phase: PhaseState;
let nextId = 0;

beforeEach(() => {
  events = [];
  answers = [];
  bodyCleared = [];
  phase = createPhase();
  phase.advance('armed');
});

function guardFor(schema: unknown): Guard {
  return createGuard({
    target: compileTarget(schema),
    phase,
    selfTest: { blocked: 'http://self.invalid/', passed: 'http://127.0.0.1:1/' },
    pauses: {
      opened: () => undefined,
      continue: (id) => answers.push(`continue ${id}`),
      fail: (id) => answers.push(`fail ${id}`),
      open: 0,
      watch: () => undefined,
    },
    bodyCleared: (head) => bodyCleared.push(head.url),
    cutEgress: () => answers.push('cut'),
    frameUrl: (id) => (id === 'F1' ? 'https://shop.test/cart' : ''),
    emit: (event) => events.push(event),
    selfTestBlocked: () => answers.push('self-test'),
    now: () => 1000,
  });
}

interface Pause {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly resourceType?: string;
  readonly body?: PausedBody;
  readonly frameId?: string;
}

function pause(guard: Guard, request: Pause): number {
  const head = {
    requestId: String((nextId += 1)),
    url: request.url ?? 'https://shop.test/pay',
    method: request.method ?? 'POST',
    headers: request.headers ?? {},
  };
  const keep = guard.head(head);
  guard.rest(head, {
    frameId: request.frameId ?? 'F1',
    resourceType: request.resourceType ?? 'XHR',
    body: request.body ?? { status: 'none' },
  });
  return keep;
}

const reported = (): string[] =>
  events.map((event) => (event.type === 'blocked' ? `blocked ${event.reason}` : event.type));
const nothing = (status: PausedBody['status']): PausedBody => ({ status });
const text = (value: string): PausedBody => ({ status: 'complete', bytes: Buffer.from(value) });
const PAY = { url_pattern: '/pay', method: 'POST' };

test('a near-miss continues unchanged and is logged', () => {
  expect(pause(guardFor(PAY), { url: 'https://shop.test/basket' })).toBe(LOGGED_BODY_BYTES);
  expect(answers[0]).toMatch(/^continue/);
  expect(reported()).toEqual(['request']);
});

test('a match is failed, then the egress is cut, then the match is reported, once', () => {
  const guard = guardFor(PAY);
  expect(pause(guard, { body: text('{"a":1}') })).toBe(MATCHED_BODY_BYTES);
  expect(answers.map((answer) => answer.split(' ')[0])).toEqual(['fail', 'cut']);
  expect(reported()).toEqual(['request', 'intercepted']);
  expect(events[1]).toMatchObject({
    request: { frameUrl: 'https://shop.test/cart', bodyStatus: 'complete', at: 1000 },
  });
  pause(guard, {});
  expect(reported().slice(2)).toEqual(['request', 'blocked after-match']);
});

test('an upload cuts the egress before its body has arrived', () => {
  const guard = guardFor(PAY);
  guard.head({ requestId: '1', url: 'https://shop.test/pay', method: 'POST', headers: {} });
  expect(answers).toEqual(['fail 1', 'cut']);
  expect(events).toEqual([]);
  guard.lost();
  expect(reported()).toEqual(['request', 'intercepted']);
  expect(events[1]).toMatchObject({ request: { bodyStatus: 'unavailable' } });
});

test.each([
  ['an image', { resourceType: 'Image' }],
  ['a prefetch', { resourceType: 'Fetch', headers: { 'Sec-Purpose': 'prefetch' } }],
])('%s that matches is blocked and does not count as the agent’s act', (_name, request) => {
  const guard = guardFor({ url_pattern: '/pay', method: 'GET' });
  pause(guard, { method: 'GET', ...request });
  expect(reported()).toEqual(['request', 'blocked passive']);
  expect(answers).toHaveLength(1);
  expect(phase.current).toBe('armed');
  pause(guard, { method: 'GET', resourceType: 'Document' });
  expect(reported().slice(2)).toEqual(['request', 'intercepted']);
});

test('a CSP report that matches is passive although it is a POST', () => {
  const request = { resourceType: 'CSPViolationReport', headers: { 'Content-Type': 'application/csp-report' } };
  pause(guardFor(PAY), request);
  expect(reported()).toEqual(['request', 'blocked passive']);
  expect(answers).not.toContain('cut');
});

test.each([
  ['the filter matches', text('{"op":"buy"}'), ['fail', 'cut'], 'intercepted'],
  ['the filter does not match', text('{"op":"look"}'), ['continue'], undefined],
  ['the body is unavailable', nothing('unavailable'), ['fail', 'cut'], 'intercepted'],
  ['there is no body', nothing('none'), ['continue'], undefined],
])('with a body filter the body decides: %s', (_name, body, expected, event) => {
  pause(guardFor({ ...PAY, body: { op: 'buy' } }), { body, headers: { 'Content-Type': 'application/json' } });
  expect(answers.map((answer) => answer.split(' ')[0])).toEqual(expected);
  expect(reported()).toEqual(event === undefined ? ['request'] : ['request', event]);
  expect(bodyCleared).toEqual(event === undefined ? ['https://shop.test/pay'] : []);
});

test('frozen before the body arrived: the request does not continue, and does not count', () => {
  const guard = guardFor({ ...PAY, body: { op: 'buy' } });
  const head = { requestId: '1', url: 'https://shop.test/pay', method: 'POST', headers: {} };
  guard.head(head);
  phase.advance('frozen');
  guard.rest(head, { frameId: '', resourceType: 'XHR', body: text('{"op":"look"}') });
  expect(answers).toEqual(['fail 1']);
  expect(reported()).toEqual(['request', 'blocked frozen']);
});

test('a file is failed and reported', () => {
  pause(guardFor(PAY), { url: 'file:///etc/passwd', method: 'GET' });
  expect(reported()).toEqual(['request', 'blocked file']);
});

test('without a known frame the referrer is used', () => {
  pause(guardFor(PAY), { frameId: 'F9', headers: { Referer: 'https://shop.test/inner' } });
  expect(events[1]).toMatchObject({
    request: { frameUrl: 'https://shop.test/inner', initiator: 'https://shop.test/inner' },
  });
});

test('the self-test is neither logged nor an event', () => {
  pause(guardFor(PAY), { url: 'http://self.invalid/', method: 'GET' });
  expect(answers.at(-1)).toBe('self-test');
  expect(events).toEqual([]);
});
