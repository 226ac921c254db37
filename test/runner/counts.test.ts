import { expect, it } from 'vitest';
import { add, closingLine, vitestCounts } from './counts.ts';

const report = (passed: number, failed: number): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: 2, numTodoTests: 1 });

it('takes the numbers of the report', () => {
  expect(vitestCounts(report(5, 1), 1)).toEqual({ passed: 5, failed: 1, skipped: 3 });
});

it('never reports a crash as zero failures', () => {
  expect(vitestCounts(null, 0).failed).toBe(1);
  expect(vitestCounts(report(5, 0), 1).failed).toBe(1);
});

it('closes with the line that CI reads', () => {
  expect(closingLine(add({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 1, skipped: 4 }))).toBe(
    '3 passed, 1 failed, 4 skipped',
  );
});
