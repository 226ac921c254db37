import { describe, expect, it } from 'vitest';
import { findCondition, isTrue, setCondition, type Condition } from './conditions.ts';

const old: Condition = {
  type: 'Accepted',
  status: 'True',
  reason: 'Valid',
  message: 'All good.',
  observedGeneration: 1,
  lastTransitionTime: '2030-01-01T00:00:00Z',
};
const later = new Date('2030-02-02T03:04:05.678Z');
const { lastTransitionTime: _, ...same } = old;

describe('setCondition', () => {
  it('adds a condition with the time in whole seconds', () => {
    expect(setCondition([], same, later)).toEqual([{ ...same, lastTransitionTime: '2030-02-02T03:04:05Z' }]);
  });
  it('returns the same array when nothing changed', () => {
    const before = [old];
    expect(setCondition(before, same, later)).toBe(before);
  });
  it.each([{ reason: 'Other' }, { message: 'Other.' }, { observedGeneration: 2 }])(
    'keeps the time when only %j changed',
    (change) => {
      expect(setCondition([old], { ...same, ...change }, later)).toEqual([{ ...old, ...change }]);
    },
  );
  it('moves the time when the status flips, and keeps the order and the others', () => {
    const other = { ...old, type: 'Complete' };
    const [first, second] = setCondition([old, other], { ...same, status: 'False' }, later);
    expect(first).toEqual({ ...same, status: 'False', lastTransitionTime: '2030-02-02T03:04:05Z' });
    expect(second).toBe(other);
  });
});

describe('reading conditions', () => {
  it('knows true from false, unknown and absent', () => {
    expect(isTrue([old], 'Accepted')).toBe(true);
    expect(isTrue([{ ...old, status: 'Unknown' }], 'Accepted')).toBe(false);
    expect(isTrue(undefined, 'Accepted')).toBe(false);
    expect(findCondition([old], 'Complete')).toBeUndefined();
  });
});
