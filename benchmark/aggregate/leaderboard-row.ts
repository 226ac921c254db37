import { csv } from './per-task-csv.ts';

/** A row of `results.csv` (published.md). */
export interface LeaderboardRow {
  readonly model: string;
  readonly harness: string;
  /** `spec.suite.name`. */
  readonly dataset: string;
  /** By the batch's pass rubric. */
  readonly passed: number;
  readonly total: number;
  /** First start to completion, suspended time excluded. */
  readonly wallHours: number;
  /** Not all planned runs were closed; not part of the CSV, for whoever appends. */
  readonly partial: boolean;
}

export const LEADERBOARD_COLUMNS = [
  'model',
  'harness',
  'dataset',
  'passed',
  'total',
  'pass_rate',
  'wall_hours',
] as const;

/** `results.csv`: header and rows; percent and hours with two decimals. */
export function leaderboardCsv(rows: readonly LeaderboardRow[]): string {
  return csv(LEADERBOARD_COLUMNS, rows.map(leaderboardFields));
}

/** The row's fields as text, for CSV and JSON lines. */
export function leaderboardFields(row: LeaderboardRow): Record<(typeof LEADERBOARD_COLUMNS)[number], string | number> {
  return {
    model: row.model,
    harness: row.harness,
    dataset: row.dataset,
    passed: row.passed,
    total: row.total,
    pass_rate: (row.total === 0 ? 0 : (100 * row.passed) / row.total).toFixed(2),
    wall_hours: row.wallHours.toFixed(2),
  };
}
