/** What a suite counted. The three numbers of `npm test`'s last line. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };
export const ONE_FAILED: Counts = { passed: 0, failed: 1, skipped: 0 };

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The line that CI reads; always the last one. */
export function closingLine(total: Counts): string {
  return `${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

/**
 * Counts of a vitest JSON report. A run that exits non-zero without a failed test (a file that does not import, an
 * unhandled rejection) counts as one failure, and so does a missing report: a crash must never look like "0 failed".
 */
export function vitestCounts(report: string | null, exitCode: number): Counts {
  const parsed = report === null ? null : (JSON.parse(report) as VitestReport);
  if (parsed === null) return ONE_FAILED;
  const failed = parsed.numFailedTests === 0 && exitCode !== 0 ? 1 : parsed.numFailedTests;
  return { passed: parsed.numPassedTests, failed, skipped: parsed.numPendingTests + parsed.numTodoTests };
}
