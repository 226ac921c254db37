import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../crds/status/shared.ts';
import { costColumn, replaceUsage, sumUsages } from './usage-sum.ts';

const usage = (costUSD: number | null, tokens: number, apiCalls: number): Usage => ({ costUSD, tokens, apiCalls });

describe('a sum of usage', () => {
  it('distinguishes a sum of all prices from a lower bound', () => {
    expect(sumUsages([usage(0.1, 5, 1), usage(0.2, 5, 2)])).toEqual(usage(0.3, 10, 3));
    expect(sumUsages([usage(0.1, 5, 1), usage(null, 5, 2)])).toEqual({ ...usage(0.1, 10, 3), unpricedCalls: 2 });
    expect(sumUsages([usage(null, 5, 2)])).toEqual({ ...usage(null, 5, 2), unpricedCalls: 2 });
  });

  it('knows that no call costs nothing, and that tokens without a call are some usage', () => {
    expect(sumUsages([usage(0.1, 5, 1), usage(null, 0, 0), {}])).toEqual(usage(0.1, 5, 1));
    expect(sumUsages([usage(null, 9, 0)]).unpricedCalls).toBe(1);
    expect(sumUsages([])).toEqual(usage(null, 0, 0));
  });

  it('is a lower bound in all numbers for an attempt without final usage', () => {
    const sum = sumUsages([{ ...usage(0.1, 5, 1), unreportedAttempts: 1 }, usage(0.2, 5, 2)]);
    expect(sum).toEqual({ ...usage(0.3, 10, 3), unreportedAttempts: 1 });
    expect([costColumn(sum), costColumn(usage(0.3, 10, 3)), costColumn({})]).toEqual(['≥$0.30', '$0.30', '-']);
  });

  it('with one part replaced is the sum with the other part instead, priced or not', () => {
    const unreportedAttempts = fc.nat(1);
    const unpriced = fc
      .record({ tokens: fc.nat(1e6), apiCalls: fc.nat(100), unreportedAttempts })
      .map(({ tokens, apiCalls, ...rest }) => ({
        ...rest,
        ...usage(null, apiCalls === 0 ? 0 : tokens, apiCalls),
      }));
    const priced = fc
      .record({
        micros: fc.oneof(fc.constant(0), fc.nat(1e9)),
        tokens: fc.nat(1e6),
        pricedCalls: fc.integer({ min: 1, max: 100 }),
        unpricedCalls: fc.nat(5),
        unreportedAttempts,
      })
      .map(({ micros, pricedCalls, tokens, ...rest }) => ({
        ...rest,
        ...usage(micros / 1e6, tokens, pricedCalls + rest.unpricedCalls),
      }));
    const one = fc.oneof(unpriced, priced);
    fc.assert(
      fc.property(fc.array(one, { maxLength: 4 }), one, one, (others, before, after) => {
        expect(replaceUsage(sumUsages([...others, before]), before, after)).toEqual(sumUsages([...others, after]));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same in whatever order and in whatever parts it is added up', () => {
    const one = fc.record({
      costUSD: fc.option(fc.integer({ min: 0, max: 1e9 }).map((micros) => micros / 1e6)),
      tokens: fc.nat(1e6),
      apiCalls: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(one), fc.array(one), (left, right) => {
        expect(sumUsages([sumUsages(left), sumUsages(right)])).toEqual(sumUsages([...right, ...left]));
      }),
    );
  });
});
