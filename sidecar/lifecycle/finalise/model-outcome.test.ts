import { describe, expect, it } from 'vitest';
import { gatewayState, type GatewayState } from '../../../benchmark/protocol/model-gateway.ts';
import { apiEvidence, capOutcome, providerOutcome } from './model-outcome.ts';

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
    ['a request that is not a model call', state({ refusals: { EndpointNotAllowed: 4 } }), null],
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
    ['an unknown price', state({ refusals: { PriceUnknown: 1 } }), ['PriceUnknown', 'prices.yaml']],
  ])('%s', (_what, given, expected) => {
    const end = capOutcome(given, null);
    if (expected === null) expect(end).toBeNull();
    else
      expect(end).toMatchObject({ reason: expected[0], message: expect.stringContaining(expected[1] ?? '') as string });
    expect(end?.outcome).toBe({ BudgetExceeded: 'Failed', PriceUnknown: 'Infrastructure' }[expected?.[0] ?? '']);
  });

  const none = { tokens: null, costUSD: null, calls: null };
  it.each([
    ['earlier attempts made the call that was missing', { CallCap: 1 }, { ...none, calls: 4 }, 'Infrastructure'],
    ['this attempt alone made as many', { CallCap: 1 }, { ...none, calls: 3 }, 'Failed'],
    ['tokens', { TokenCap: 1 }, { ...none, tokens: 121 }, 'Infrastructure'],
    ['tokens, alone', { TokenCap: 1 }, { ...none, tokens: 120 }, 'Failed'],
    ['cost', { CostCap: 1 }, { ...none, costUSD: 0.51 }, 'Infrastructure'],
    ['cost, alone', { CostCap: 1 }, { ...none, costUSD: 0.5 }, 'Failed'],
    [
      'the cap that stopped it was cut, but it reached another alone',
      { CallCap: 1 },
      { ...none, calls: 9, tokens: 99 },
      'Failed',
    ],
  ])('of which earlier attempts used a part: %s', (_what, refusals, inFull, outcome) => {
    const end = capOutcome(state({ refusals }), inFull);
    expect(end).toMatchObject({ outcome, reason: 'BudgetExceeded' });
    expect(end?.message.includes('infrastructure')).toBe(outcome === 'Infrastructure');
    expect(apiEvidence(state({ refusals }), inFull, 'agent.log: 402')).toBe(outcome === 'Failed' ? null : end?.message);
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
    const end = providerOutcome(given);
    if (expected === null) expect(end).toBeNull();
    else
      expect(end).toMatchObject({ reason: 'ModelUnavailable', message: expect.stringContaining(expected) as string });
  });
});

it("prefers what the gateway saw to a harness's log, which at a cap quotes the gateway's own refusal", () => {
  expect(apiEvidence(null, null, 'agent.log: 402')).toBe('agent.log: 402');
  expect(apiEvidence(state({}), null, null)).toBeNull();
  expect(apiEvidence(failed('RateLimit', 429, 101), null, 'agent.log: 402')).toMatch(/answered 429/);
  expect(apiEvidence(state({ refusals: { CallCap: 1 } }), null, 'agent.log: 402')).toBeNull();
});
