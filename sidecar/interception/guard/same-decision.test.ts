import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import type { InterceptionEvent } from '../../contracts.ts';
import { createPhase } from '../phase.ts';
import { cutAt } from '../pipe/cut.fixture.ts';
import { createMessageReader } from '../pipe/message-reader.ts';
import { createFireAndForgetCommands } from '../pipe/fire-and-forget-commands.ts';
import { pausedMessage } from '../pipe/pause.fixture.ts';
import { memoizeTarget } from '../memoized-target.ts';
import { createTwoSpeedReader } from '../guard-thread/two-speed-reader.ts';
import { createGuard } from './guard.ts';
import { readFastPathRequest } from './fast-path-request.ts';
import { createPauses } from './pauses.ts';
import { createFastPath } from './fast-path.ts';

const selfTest = { blocked: 'http://self.invalid/x', passed: 'http://127.0.0.1:1/p' };

interface Told {
  readonly orders: string[];
  readonly events: InterceptionEvent[];
  readonly phase: string;
}

/** What the guard says and tells of a stream, with the quick way before it or alone. */
function guarded(quick: boolean, chunks: readonly Buffer[], evalSchema: unknown): Told {
  const orders: string[] = [];
  const events: InterceptionEvent[] = [];
  const phase = createPhase();
  phase.advance('armed');
  const target = memoizeTarget(compileTarget(evalSchema));
  const pauses = createPauses(
    createFireAndForgetCommands((text) => void orders.push(text)),
    () => undefined,
  );
  const now = (): number => 5;
  const guard = createGuard({
    ...{ target, phase, selfTest, pauses, now },
    released: ({ url }) => orders.push(`released ${url}`),
    cut: () => orders.push('cut'),
    frameUrl: () => '',
    emit: (event) => events.push(event),
    selfTestBlocked: () => orders.push('self-test'),
  });
  const pass = createFastPath({
    ...{ target, phase, selfTest, pauses, now },
    passed: (at, message) => {
      const request = readFastPathRequest(at, message);
      if (request === null) throw new Error(`cannot be read: ${message.toString()}`);
      events.push({ type: 'request', request });
    },
  });
  const acknowledged = (): void => undefined;
  const read = createMessageReader({
    message: () => undefined,
    acknowledged,
    pausedHead: (head) => guard.head(head),
    pausedRest: (head, rest) => guard.rest(head, rest),
  });
  const take = quick ? createTwoSpeedReader({ read, acknowledged, pass }) : read;
  for (const chunk of chunks) take(Buffer.from(chunk));
  return { orders, events, phase: phase.current };
}

const url = fc.oneof(
  fc.constantFrom(
    ...['http://s.test/pay', 'https://s.test/a', 'https://s.test/%70ay', 'https://s.test/päy', 'HTTP://s.test/pay'],
    ...['file:///pay', 'data:text/html,pay', 'blob:http://s.test/pay', 'chrome://pay', 'ws://s.test/pay'],
    ...[selfTest.blocked, selfTest.passed, 'https://s.test/\ud800', `https://s.test/${'x'.repeat(2_100)}/pay`],
  ),
  fc.webUrl({ withQueryParameters: true }),
  fc.string({ unit: 'binary' }),
);
/** Spellings that say the same in JSON, or nearly. */
const spelling = fc.constantFrom<readonly [string, string]>(
  ['', ''],
  ['"requestId"', '"\\u0072equestId"'],
  ['"url"', '"\\u0075rl"'],
  ['"params":{', '"params": {'],
  [',"method":', ',"urlFragment":"#f","method":'],
  ['"frameId"', '"sessionId":"S","frameId"'],
);
const message = fc
  .record({
    requestId: fc.string(),
    url,
    method: fc.constantFrom('GET', 'POST', 'post', '', 'PO"ST', "P'"),
    headers: fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('Referer', 'Content-Type', '__proto__', 'constructor')),
      fc.string({ unit: 'binary' }),
    ),
    body: fc.option(fc.string()),
    resourceType: fc.constantFrom('Document', 'XHR', 'Image', 'Ping'),
    spelling,
  })
  .map(({ requestId, body, resourceType, spelling: [plain, other], ...head }) => {
    const whole = pausedMessage({ ...head, requestId, resourceType, ...(body === null ? {} : { body }) });
    return whole.replace(plain, other);
  });
const evalSchema = fc.constantFrom(
  { url_pattern: '/pay' },
  { url_pattern: '/pay', method: 'POST' },
  { url_pattern: '/pay', body: { a: 1 } },
  { url_pattern: 'pay', params: { a: '1' } },
  {},
);

test('whichever way a pause takes and however the stream is cut, the answer and the request that is told are the same', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 5 }),
      evalSchema,
      fc.array(fc.nat(), { maxLength: 3 }),
      (all, schema, points) => {
        const stream = Buffer.from(all.map((text) => `${text}\0`).join(''));
        // As text: equality of objects passes over what is named `__proto__`.
        const expected = JSON.stringify(guarded(false, [stream], schema));
        expect(JSON.stringify(guarded(true, cutAt(stream, points), schema))).toBe(expected);
        expect(JSON.stringify(guarded(true, [stream], schema))).toBe(expected);
      },
    ),
    { numRuns: 1_000 },
  );
});
