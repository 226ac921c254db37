import { expect, test } from 'vitest';
import { createPhase, reopen, withoutMatch } from './phase.ts';

test('a run moves forward only', () => {
  const phase = createPhase();
  expect(phase.advance('armed')).toBe(true);
  expect(phase.advance('lost')).toBe(true);
  expect(phase.advance('armed')).toBe(false);
  expect(phase.advance('lost')).toBe(false);
  expect(phase.current).toBe('lost');
});

test('memory that several share is one phase: a step is one of them only', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const [one, other] = [createPhase(cell), createPhase(cell)];
  one.advance('armed');
  expect(other.current).toBe('armed');
  expect([other.advance('matched'), one.advance('matched')]).toEqual([true, false]);
});

test('a test of many requests goes on after a match, and ends like any other', () => {
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
  reopen(cell);
  expect(phase.current).toBe('starting');
  phase.advance('matched');
  reopen(cell);
  expect(phase.current).toBe('armed');
  phase.advance('frozen');
  reopen(cell);
  expect(phase.current).toBe('frozen');
});
