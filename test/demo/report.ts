import Table from 'cli-table3';
import { RUBRICS, type Rubric } from '../../crds/blocks/judge.ts';
import type { ExpectedBatch } from '../../test-cases/demo/expectation.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';

/** The table at a demo's end, from the batch's own status: by harness, both denominators, intervals. */

type Row = NonNullable<NonNullable<ClawBenchBatchStatus['rescoreSummary']>['byHarness']>[number];

const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${(value * 100).toFixed(1)} %`;

/** `3/8  37.5 % [13.7–69.4]  (eligible 42.9 %)`. */
function rubricCell(row: Row, rubric: Rubric): string {
  const score = row.rubrics?.[rubric];
  if (score === undefined) return '–';
  const interval = `[${percent(score.low)} … ${percent(score.high)}]`;
  const unjudged = score.unjudged > 0 ? `, ${score.unjudged} unjudged` : '';
  return `${score.match}/${row.nTotal}  ${percent(score.rate)} ${interval}\neligible ${percent(score.rateEligible)}${unjudged}`;
}

export function reportTable(status: ClawBenchBatchStatus): string {
  const rows = status.rescoreSummary?.byHarness ?? [];
  const rubrics = RUBRICS.filter((rubric) => rows.some((row) => row.rubrics?.[rubric] !== undefined));
  const table = new Table({
    head: ['harness', 'runs', 'eligible', 'intercepted', ...rubrics.map((rubric) => rubric.toLowerCase())],
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    const intercepted = `${row.nIntercepted}/${row.nTotal}  ${percent(row.interceptedRate)}`;
    table.push([
      row.name,
      String(row.nTotal),
      String(row.nEligible),
      intercepted,
      ...rubrics.map((rubric) => rubricCell(row, rubric)),
    ]);
  }
  return table.toString();
}

/** Differences between what came out and what must come out, one sentence each. */
export function deviations(status: ClawBenchBatchStatus, expected: ExpectedBatch): readonly string[] {
  const rows = status.rescoreSummary?.byHarness ?? [];
  return Object.entries(expected.harnesses).flatMap(([harness, want]) => {
    const row = rows.find((one) => one.name === harness);
    const got = {
      runs: row?.nTotal ?? 0,
      intercepted: row?.nIntercepted ?? 0,
      passed: row?.rubrics?.[expected.rubric]?.match ?? 0,
    };
    return (['runs', 'intercepted', 'passed'] as const)
      .filter((key) => got[key] !== want[key])
      .map((key) => `${harness}: ${key} is ${got[key]}, expected ${want[key]}`);
  });
}
