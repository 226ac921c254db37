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

interface Outcome {
  readonly commands: string[];
  readonly events: InterceptionEvent[];
  readonly phase: string;
}

/** The guard's commands and events for a stream, with or without the fast path before it. */
function guarded(useFastPath: boolean, chunks: readonly Buffer[], evalSchema: unknown): Outcome {
  const commands: string[] = [];
  const events: InterceptionEvent[] = [];
  const phase = createPhase();
  phase.advance('armed');
  const target = memoizeTarget(compileTarget(evalSchema));
  const pauses = createPauses(
    createFireAndForgetCommands((text) => void commands.push(text)),
    () => undefined,
  );
  const now = (): number => 5;
  const guard = createGuard({
    ...{ target, phase, selfTest, pauses, now },
    bodyCleared: ({ url }) => commands.push(`body-cleared ${url}`),
    cutEgress: () => commands.push('cut'),
    frameUrl: () => '',
    emit: (event) => events.push(event),
    selfTestBlocked: () => commands.push('self-test'),
  });
  const fastPath = createFastPath({
    ...{ target, phase, selfTest, pauses, now },
    continued: (at, message) => {
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
  const take = useFastPath ? createTwoSpeedReader({ read, acknowledged, fastPath }) : read;
  for (const chunk of chunks) take(Buffer.from(chunk));
  return { commands, events, phase: phase.current };
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
/** Other spellings of the same, or nearly the same, JSON. */
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

test('the answer and the reported request are the same on both paths, however the stream is split', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 5 }),
      evalSchema,
      fc.array(fc.nat(), { maxLength: 3 }),
      (all, schema, points) => {
        const stream = Buffer.from(all.map((text) => `${text}\0`).join(''));
        // As text: object equality ignores properties named `__proto__`.
        const expected = JSON.stringify(guarded(false, [stream], schema));
        expect(JSON.stringify(guarded(true, cutAt(stream, points), schema))).toBe(expected);
        expect(JSON.stringify(guarded(true, [stream], schema))).toBe(expected);
      },
    ),
    { numRuns: 1_000 },
  );
});
