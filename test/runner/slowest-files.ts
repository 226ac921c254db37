/** How long a test file took, hooks included. */
export interface FileTime {
  readonly file: string;
  readonly seconds: number;
}

interface VitestReport {
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

/** Times of the test files of a vitest JSON report, by paths from `root`; none of a report that is missing. */
export function fileTimes(report: string | null, root: string): FileTime[] {
  const { testResults } = report === null ? { testResults: [] } : (JSON.parse(report) as VitestReport);
  return testResults.map(({ name, startTime, endTime }) => ({
    file: name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name,
    seconds: Math.max(0, endTime - startTime) / 1000,
  }));
}

/** The slowest first. */
export function slowestFiles(times: readonly FileTime[], count: number): FileTime[] {
  return times.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
}
