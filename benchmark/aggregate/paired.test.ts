import { describe, expect, it } from 'vitest';
import { comparePaired, mcnemarExact } from './paired.ts';
import type { ScoredRun } from './score.ts';

const aRun = (task: string, passed: boolean, more: Partial<ScoredRun> = {}): ScoredRun => ({
  task,
  model: 'm',
  harness: 'h',
  group: 'Daily',
  repetition: 1,
  intercepted: passed,
  eligible: true,
  nonResult: false,
  passed,
  verdicts: {},
  ...more,
});
const compare = (a: readonly ScoredRun[], b: readonly ScoredRun[]): ReturnType<typeof comparePaired> =>
  comparePaired(a, b, (run) => run.passed);

describe('mcnemarExact', () => {
  // Sums of binomial coefficients over 2^n, by hand.
  it.each([
    [0, 0, 1],
    [5, 0, 2 / 32],
    [0, 10, 2 / 1024],
    [8, 2, (2 * (1 + 10 + 45)) / 1024],
    [3, 3, 1],
  ])('%i against %i', (a, b, p) => {
    expect(mcnemarExact(a, b)).toBeCloseTo(p, 10);
    expect(mcnemarExact(b, a)).toBeCloseTo(p, 10);
  });
  it('does not underflow on large counts', () => {
    expect(mcnemarExact(1500, 1500)).toBeCloseTo(1, 6);
    const lopsided = mcnemarExact(1700, 1300);
    expect(lopsided).toBeGreaterThan(0);
    expect(lopsided).toBeLessThan(1e-10);
  });
});

describe('comparePaired', () => {
  it('pairs shared tasks and counts the four kinds', () => {
    const a = [aRun('1', true), aRun('2', true), aRun('3', false), aRun('4', false), aRun('5', true)];
    const b = [aRun('1', true), aRun('2', false), aRun('3', true), aRun('4', false), aRun('9', true)];
    expect(compare(a, b)).toMatchObject({
      pairs: 4,
      both: 1,
      onlyA: 1,
      onlyB: 1,
      neither: 1,
      difference: 0,
      unpairedA: 1,
      unpairedB: 1,
    });
  });
  it('excludes runs that are not a result of the agent, and counts them', () => {
    const a = [aRun('1', true), aRun('2', true)];
    const b = [aRun('1', false, { eligible: false }), aRun('2', false)];
    expect(compare(a, b)).toMatchObject({ pairs: 1, onlyA: 1, notEligible: 1, pValue: 1 });
  });
  it('excludes pairs without a verdict from every count and from the test, and counts them', () => {
    const asked = (task: string, match: boolean | null): ScoredRun =>
      aRun(task, match === true, { intercepted: true, verdicts: { Lenient: { match } } });
    const a = [asked('1', true), asked('2', true), asked('3', null), asked('4', null), aRun('5', false)];
    const b = [asked('1', false), asked('2', null), asked('3', false), asked('4', null), asked('5', true)];
    const match = (run: ScoredRun): boolean | null => (run.intercepted ? (run.verdicts.Lenient?.match ?? null) : false);
    expect(comparePaired(a, b, match)).toEqual({
      pairs: 2,
      both: 0,
      onlyA: 1,
      onlyB: 1,
      neither: 0,
      difference: 0,
      pValue: 1,
      unpairedA: 0,
      unpairedB: 0,
      notEligible: 0,
      unjudged: 3,
    });
  });
  it('pairs repetitions, also where bundles do not number them', () => {
    const twice = [aRun('1', true), aRun('1', false)];
    const numbered = [aRun('1', false, { repetition: 2 }), aRun('1', true, { repetition: 1 })];
    expect(compare(twice, numbered)).toMatchObject({ pairs: 2, both: 1, neither: 1, unpairedA: 0 });
  });
  it('has no result without pairs', () => {
    expect(compare([aRun('1', true)], [aRun('2', true)])).toMatchObject({ pairs: 0, difference: null, pValue: null });
  });
});
