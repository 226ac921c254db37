import Table from 'cli-table3';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';

/** The table at a demo's end, from the batch's own status: by harness, both denominators, intervals. */

type Row = NonNullable<NonNullable<ClawBenchBatchStatus['rescoreSummary']>['byHarness']>[number];

const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${(value * 100).toFixed(1)} %`;

/** `3/8  37.5 % [13.7–69.4]  (eligible 42.9 %)`. */
function rubricCell(row: Row, rubric: 'Strict' | 'Lenient'): string {
  const score = row.rubrics?.[rubric];
  if (score === undefined) return '–';
  const interval = `[${percent(score.low)} … ${percent(score.high)}]`;
  const unjudged = score.unjudged > 0 ? `, ${score.unjudged} unjudged` : '';
  return `${score.match}/${row.nTotal}  ${percent(score.rate)} ${interval}\neligible ${percent(score.rateEligible)}${unjudged}`;
}

export function reportTable(status: ClawBenchBatchStatus): string {
  const table = new Table({
    head: ['harness', 'runs', 'eligible', 'intercepted', 'strict', 'lenient'],
    style: { head: [], border: [] },
  });
  for (const row of status.rescoreSummary?.byHarness ?? []) {
    const intercepted = `${row.nIntercepted}/${row.nTotal}  ${percent(row.interceptedRate)}`;
    table.push([
      row.name,
      String(row.nTotal),
      String(row.nEligible),
      intercepted,
      rubricCell(row, 'Strict'),
      rubricCell(row, 'Lenient'),
    ]);
  }
  return table.toString();
}

/** Differences between what came out and what must come out, one sentence each. */
export function deviations(
  status: ClawBenchBatchStatus,
  expected: Readonly<Record<string, { runs: number; intercepted: number; strict: number }>>,
): readonly string[] {
  const rows = status.rescoreSummary?.byHarness ?? [];
  return Object.entries(expected).flatMap(([harness, want]) => {
    const got = numbersOf(rows.find((one) => one.name === harness));
    return (['runs', 'intercepted', 'strict'] as const)
      .filter((key) => got[key] !== want[key])
      .map((key) => `${harness}: ${key} is ${got[key]}, expected ${want[key]}`);
  });
}

function numbersOf(row: Row | undefined): { runs: number; intercepted: number; strict: number } {
  if (row === undefined) return { runs: 0, intercepted: 0, strict: 0 };
  return { runs: row.nTotal, intercepted: row.nIntercepted, strict: row.rubrics?.Strict?.match ?? 0 };
}
