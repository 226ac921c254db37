import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../crds/status/shared.ts';
import { costColumn, replacePart, sumUsages } from './usage-sum.ts';

const usage = (costUSD: number | null, tokens: number, apiCalls: number): Usage => ({ costUSD, tokens, apiCalls });

describe('a sum of what was spent', () => {
  it('tells a sum of all prices from one that is a lower bound', () => {
    expect(sumUsages([usage(0.1, 5, 1), usage(0.2, 5, 2)])).toEqual(usage(0.3, 10, 3));
    expect(sumUsages([usage(0.1, 5, 1), usage(null, 5, 2)])).toEqual({ ...usage(0.1, 10, 3), unpricedCalls: 2 });
    expect(sumUsages([usage(null, 5, 2)])).toEqual({ ...usage(null, 5, 2), unpricedCalls: 2 });
  });

  it('knows that no call costs nothing, and that tokens without a call are some', () => {
    expect(sumUsages([usage(0.1, 5, 1), usage(null, 0, 0), {}])).toEqual(usage(0.1, 5, 1));
    expect(sumUsages([usage(null, 9, 0)]).unpricedCalls).toBe(1);
    expect(sumUsages([])).toEqual(usage(null, 0, 0));
  });

  it('says of an attempt without a bill that all of it is a lower bound', () => {
    const sum = sumUsages([{ ...usage(0.1, 5, 1), unreportedAttempts: 1 }, usage(0.2, 5, 2)]);
    expect(sum).toEqual({ ...usage(0.3, 10, 3), unreportedAttempts: 1 });
    expect([costColumn(sum), costColumn(usage(0.3, 10, 3)), costColumn({})]).toEqual(['≥$0.30', '$0.30', '-']);
  });

  it('in which a part counts anew is the sum with that part instead', () => {
    const one = fc.record({
      costUSD: fc.integer({ min: 0, max: 1e9 }).map((micros) => micros / 1e6),
      tokens: fc.nat(1e6),
      apiCalls: fc.nat(100),
      unpricedCalls: fc.nat(5),
      unreportedAttempts: fc.nat(1),
    });
    fc.assert(
      fc.property(fc.array(one), one, one, (others, before, after) => {
        const { costUSD, ...rest } = replacePart(sumUsages([...others, before]), before, after);
        const expected = sumUsages([...others, after]);
        expect({ ...rest, costUSD: costUSD ?? 0 }).toEqual({ ...expected, costUSD: expected.costUSD ?? 0 });
      }),
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
