import { expect, test } from 'vitest';
import { createPhase } from './phase.ts';

test('a phase only moves forward', () => {
  const phase = createPhase();
  expect(phase.advance('armed')).toBe(true);
  expect(phase.advance('lost')).toBe(true);
  expect(phase.advance('armed')).toBe(false);
  expect(phase.advance('lost')).toBe(false);
  expect(phase.current).toBe('lost');
});

test('shared memory is one phase: only one of the threads makes a step', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const [one, other] = [createPhase(cell), createPhase(cell)];
  one.advance('armed');
  expect(other.current).toBe('armed');
  expect([other.advance('matched'), one.advance('matched')]).toEqual([true, false]);
});
