import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLiveness } from './liveness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('silence is asked about, and after enough ticks it is the end, once', () => {
  const ping = vi.fn();
  const dead = vi.fn();
  const liveness = watchLiveness({ ping, dead, heard: () => 7, tickMs: 100, ticks: 5 });
  liveness.start();
  vi.advanceTimersByTime(500);
  expect(ping).toHaveBeenCalledTimes(3);
  expect(dead).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(dead).toHaveBeenCalledTimes(1);
});

test('any byte starts the count anew', () => {
  const dead = vi.fn();
  let heard = 0;
  const liveness = watchLiveness({ ping: () => undefined, dead, heard: () => heard, tickMs: 100, ticks: 3 });
  liveness.start();
  for (let n = 0; n < 20; n += 1) {
    vi.advanceTimersByTime(200);
    heard += 1;
  }
  expect(dead).not.toHaveBeenCalled();
  liveness.stop();
  vi.advanceTimersByTime(5_000);
  expect(dead).not.toHaveBeenCalled();
});
