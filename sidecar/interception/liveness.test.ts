import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLiveness } from './liveness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a silent browser is pinged, and reported dead once after enough ticks', () => {
  const ping = vi.fn();
  const dead = vi.fn();
  const liveness = watchLiveness({ ping, dead, readCount: () => 7, tickMs: 100, ticks: 5 });
  liveness.start();
  vi.advanceTimersByTime(500);
  expect(ping).toHaveBeenCalledTimes(3);
  expect(dead).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(dead).toHaveBeenCalledTimes(1);
});

test('any byte resets the count', () => {
  const dead = vi.fn();
  let count = 0;
  const liveness = watchLiveness({ ping: () => undefined, dead, readCount: () => count, tickMs: 100, ticks: 3 });
  liveness.start();
  for (let n = 0; n < 20; n += 1) {
    vi.advanceTimersByTime(200);
    count += 1;
  }
  expect(dead).not.toHaveBeenCalled();
  liveness.stop();
  vi.advanceTimersByTime(5_000);
  expect(dead).not.toHaveBeenCalled();
});
