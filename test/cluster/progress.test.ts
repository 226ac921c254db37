import { afterEach, expect, it, vi } from 'vitest';
import { step } from './progress.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('only the innermost step says that it is alive, every 30 s, and how far it is', async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text).trimEnd()) > 0);
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const done = step('outer', async () => {
    await step('inner', async (report) => {
      report('1 of 2');
      report('2 of 2');
      await wait(61_000);
    });
    await wait(31_000);
  });
  await vi.advanceTimersByTimeAsync(100_000);
  await done;
  expect(lines.filter((line) => line.includes('…'))).toEqual([
    '  … inner: 30 s, 2 of 2',
    '  … inner: 1 min 0 s, 2 of 2',
    '  … outer: 1 min 30 s',
  ]);
});
