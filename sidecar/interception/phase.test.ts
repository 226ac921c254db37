import { expect, test } from 'vitest';
import { createPhase } from './phase.ts';

test('a run moves forward only', () => {
  const phase = createPhase();
  expect(phase.advance('armed')).toBe(true);
  expect(phase.advance('lost')).toBe(true);
  expect(phase.advance('armed')).toBe(false);
  expect(phase.advance('lost')).toBe(false);
  expect(phase.current).toBe('lost');
});
