import type { RescoreSummaryStatus, ScoreRowStatus } from '../crds/status/batch-status.ts';

/** One value of a ratio metric. `group` is set only for rows by category. */
export interface ScorePoint {
  readonly labels: {
    readonly model: string;
    readonly harness: string;
    readonly rubric: string;
    readonly bound: string;
  };
  readonly group: string | null;
  readonly value: number;
}

type Stats = {
  readonly rate?: number | null | undefined;
  readonly low?: number | null | undefined;
  readonly high?: number | null | undefined;
};

/** One point per table row, rubric and bound. A row of one dimension has `all` in the others. */
export function scorePoints(summary: RescoreSummaryStatus | undefined): ScorePoint[] {
  const { overall, byModel = [], byHarness = [], byCategory = [] } = summary ?? {};
  if (overall === undefined) return [];
  const all = { model: 'all', harness: 'all' };
  return [
    ...rowPoints({ name: 'all', ...overall }, all, null),
    ...byModel.flatMap((row) => rowPoints(row, { ...all, model: row.name }, null)),
    ...byHarness.flatMap((row) => rowPoints(row, { ...all, harness: row.name }, null)),
    ...byCategory.flatMap((row) => rowPoints(row, all, row.name)),
  ];
}

function rowPoints(row: ScoreRowStatus, where: { model: string; harness: string }, group: string | null): ScorePoint[] {
  const intercepted: Stats = { rate: row.interceptedRate, low: row.interceptedLow, high: row.interceptedHigh };
  const rubrics: [string, Stats | undefined][] = [['Intercepted', intercepted], ...Object.entries(row.rubrics ?? {})];
  return rubrics.flatMap(([rubric, stats]) =>
    known({ point: stats?.rate, low: stats?.low, high: stats?.high }).map(([bound, value]) => ({
      labels: { ...where, rubric, bound },
      group,
      value,
    })),
  );
}

function known(values: Record<string, number | null | undefined>): [string, number][] {
  return Object.entries(values).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
}
