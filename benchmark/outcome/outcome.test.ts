import { describe, expect, it } from 'vitest';
import { isNonResult, NON_RESULT_OUTCOMES, OUTCOMES, RETRIED_OUTCOMES, SYSTEM_CAUSED_OUTCOMES } from './outcome.ts';

describe('who caused an outcome', () => {
  it('what the system caused is an outcome and never a result of the agent', () => {
    expect([...SYSTEM_CAUSED_OUTCOMES]).toEqual(['Infrastructure', 'InterceptionEscape', 'EvidenceIncomplete']);
    expect([...SYSTEM_CAUSED_OUTCOMES].every(isNonResult)).toBe(true);
  });

  it('a cancelled run is not a result, but the system did not cause it: its Pod is not kept and it has its own count', () => {
    expect(isNonResult('Cancelled')).toBe(true);
    expect(SYSTEM_CAUSED_OUTCOMES.has('Cancelled')).toBe(false);
    expect(NON_RESULT_OUTCOMES.size).toBe(SYSTEM_CAUSED_OUTCOMES.size + 1);
  });

  it('every other outcome is the agent’s, and so is a bundle that names none', () => {
    expect(OUTCOMES.filter((outcome) => !isNonResult(outcome))).toEqual([
      'Passed',
      'Failed',
      'JudgePending',
      'TimedOut',
    ]);
    expect(isNonResult(null)).toBe(false);
  });

  it('only what the system caused is retried', () => {
    expect(RETRIED_OUTCOMES.every((outcome) => SYSTEM_CAUSED_OUTCOMES.has(outcome))).toBe(true);
  });
});
