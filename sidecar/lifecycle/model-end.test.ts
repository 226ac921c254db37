import { describe, expect, it } from 'vitest';
import { gatewayState, type GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import { apiEvidence, capEnd, providerEnd } from './model-end.ts';

const state = (change: object): GatewayState =>
  gatewayState.parse({
    v: 1,
    calls: 3,
    inFlight: 0,
    tokens: 120,
    costUSD: 0.5,
    estimated: 0,
    failures: {},
    refusals: {},
    lastFailure: null,
    lastSuccessAt: 100,
    ...change,
  });
const failed = (kind: string, status: number, at: number): GatewayState =>
  state({ failures: { [kind]: 2 }, lastFailure: { kind, status, at } });

describe('a cap', () => {
  it.each([
    ['no gateway', null, null],
    ['none reached', state({}), null],
    ['what is no model call', state({ refusals: { EndpointNotAllowed: 4 } }), null],
    [
      'cost',
      state({ refusals: { CostCap: 1 } }),
      ['BudgetExceeded', 'cap on cost was reached after 3 calls, 120 tokens, 0.5 USD'],
    ],
    [
      'tokens, no price known',
      state({ costUSD: null, refusals: { TokenCap: 2 } }),
      ['BudgetExceeded', 'tokens was reached after 3 calls, 120 tokens.'],
    ],
    ['calls', state({ refusals: { CallCap: 1 } }), ['BudgetExceeded', 'cap on calls']],
    ['a price that is not known', state({ refusals: { PriceUnknown: 1 } }), ['PriceUnknown', 'prices.yaml']],
  ])('%s', (_what, given, expected) => {
    const end = capEnd(given);
    if (expected === null) expect(end).toBeNull();
    else expect(end).toEqual({ reason: expected[0], message: expect.stringContaining(expected[1] ?? '') as string });
  });
});

describe("the provider's failure", () => {
  it.each([
    ['none', state({}), null],
    ['followed by an answer', failed('RateLimit', 429, 99), null],
    ['at the end', failed('RateLimit', 429, 101), 'answered 429 (RateLimit) at the end; 2 calls failed'],
    [
      'before any answer',
      state({ lastSuccessAt: null, lastFailure: { kind: 'Auth', status: 401, at: 1 } }),
      'answered 401',
    ],
    ['no answer', failed('Network', 0, 101), 'did not answer (Network)'],
    ["a call that was the agent's own mistake", failed('Request', 400, 101), null],
  ])('%s', (_what, given, expected) => {
    const end = providerEnd(given);
    if (expected === null) expect(end).toBeNull();
    else expect(end).toEqual({ reason: 'ModelUnavailable', message: expect.stringContaining(expected) as string });
  });
});

it("takes the gateway's word on the provider before a harness's log, which at a cap quotes our own refusal", () => {
  expect(apiEvidence(null, 'agent.log: 402')).toBe('agent.log: 402');
  expect(apiEvidence(state({}), null)).toBeNull();
  expect(apiEvidence(failed('RateLimit', 429, 101), 'agent.log: 402')).toMatch(/answered 429/);
  expect(apiEvidence(state({ refusals: { CallCap: 1 } }), 'agent.log: 402')).toBeNull();
});
