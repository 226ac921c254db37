import { expect, test } from 'vitest';
import { createPhase } from '../phase.ts';
import { reopenAfterMatch, withoutMatch } from './phases.ts';

test('a test of many requests continues after a match, and ends like any other', () => {
  const phase = createPhase();
  const open = withoutMatch(phase);
  phase.advance('armed');
  expect(open.advance('matched')).toBe(false);
  expect(open.current).toBe('armed');
  expect(open.advance('frozen')).toBe(true);
});

test('what a match closed can be opened again, what anything else closed cannot', () => {
  const cell = new Int32Array(1);
  const phase = createPhase(cell);
  reopenAfterMatch(cell);
  expect(phase.current).toBe('starting');
  phase.advance('matched');
  reopenAfterMatch(cell);
  expect(phase.current).toBe('armed');
  phase.advance('frozen');
  reopenAfterMatch(cell);
  expect(phase.current).toBe('frozen');
});
