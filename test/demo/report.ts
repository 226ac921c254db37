import Table from 'cli-table3';
import { RUBRICS, type Rubric } from '../../benchmark/judge/rubrics.ts';
import type { Expected, ExpectedBatch } from '../../test-cases/demo/expectation.ts';
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

interface Compared {
  /** As a deviation calls it. */
  readonly word: string;
  readonly want: (want: Expected) => number;
  readonly got: (row: Row, rubric: Rubric) => number | undefined;
}

/** What a row has to say. No harness of the demo calls a model, so every run is eligible. */
const COMPARED: readonly Compared[] = [
  { word: 'runs', want: (want) => want.runs, got: (row) => row.nTotal },
  { word: 'eligible', want: (want) => want.runs, got: (row) => row.nEligible },
  { word: 'intercepted', want: (want) => want.intercepted, got: (row) => row.nIntercepted },
  { word: 'passed', want: (want) => want.passed, got: (row, rubric) => row.rubrics?.[rubric]?.match },
  { word: 'unjudged', want: () => 0, got: (row, rubric) => row.rubrics?.[rubric]?.unjudged },
];

/**
 * Differences between what came out and what must come out, one sentence each. A run that ended by our own fault is one,
 * even where it would have scored nothing anyway.
 */
export function deviations(status: ClawBenchBatchStatus, expected: ExpectedBatch): readonly string[] {
  const rows = status.rescoreSummary?.byHarness ?? [];
  const ofRows = Object.entries(expected.harnesses).flatMap(([harness, want]) => {
    const row = rows.find((one) => one.name === harness);
    if (row === undefined) return [`${harness}: has no row in the summary`];
    return COMPARED.map(({ word, ...one }) => ({ word, got: one.got(row, expected.rubric) ?? 0, want: one.want(want) }))
      .filter(({ got, want: wanted }) => got !== wanted)
      .map(({ word, got, want: wanted }) => `${harness}: ${word} is ${got}, expected ${wanted}`);
  });
  const ofCounts = (['infrastructure', 'cancelled'] as const)
    .filter((key) => status.counts?.[key] !== 0)
    .map((key) => `${key} is ${status.counts?.[key] ?? 'unknown'}, expected 0`);
  return [...ofRows, ...ofCounts];
}
