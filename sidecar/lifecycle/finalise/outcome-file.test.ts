import { expect, it } from 'vitest';
import { outcomeMessage, type OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import { serialiseOutcome } from './outcome-file.ts';

const message = (text: string, prefix: string): OutcomeMessage => ({
  v: 1,
  attempt: 1,
  outcome: 'Infrastructure',
  reason: 'InternalError',
  message: text,
  stopReason: 'unknown',
  resultCategory: 'infra_failure',
  intercepted: false,
  evidence: 'None',
  prefix,
  times: { started: 1, armed: null, agentStarted: null, stopped: null, evidenceSafe: null },
  counts: { actions: 0, requests: 0, screenshots: 0, bytes: 0 },
  usage: { costUSD: null, tokens: 0, apiCalls: 0 },
  isolation: 'Namespace',
  agentIsolated: false,
  mailboxRemoved: false,
  claimedByAttempt: null,
});

it.each([
  ['short', message('A sentence.', 'p/a1/')],
  ['a long prefix and 300 characters of three bytes each', message('語'.repeat(300), 'x'.repeat(900))],
  ['quotes and control characters', message('"\u0001'.repeat(150), 'x'.repeat(700))],
])('fits into 2 KiB and stays a message: %s', (_name, given) => {
  const text = serialiseOutcome(given);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  expect(outcomeMessage.parse(JSON.parse(text)).reason).toBe('InternalError');
});
