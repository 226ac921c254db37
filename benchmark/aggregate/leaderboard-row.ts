import { csv } from './per-task-csv.ts';

/** A row of `results.csv`, whose columns are those of the published leaderboard. */
export interface LeaderboardRow {
  readonly model: string;
  readonly harness: string;
  /** `spec.suite.name`. */
  readonly dataset: string;
  /** By the batch's pass rubric. */
  readonly passed: number;
  readonly total: number;
  /** First start to completion, excluding suspended time. */
  readonly wallHours: number;
  /** Not all planned runs are closed. It is not a column of the CSV; whoever appends rows has to check it. */
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

/** `results.csv`: header and rows; percentages and hours with two decimals. */
export function leaderboardCsv(rows: readonly LeaderboardRow[]): string {
  const text = rows.map((row) => {
    const { pass_rate, wall_hours, ...fields } = leaderboardFields(row);
    return { ...fields, pass_rate: pass_rate.toFixed(2), wall_hours: wall_hours.toFixed(2) };
  });
  return csv(LEADERBOARD_COLUMNS, text);
}

interface LeaderboardFields {
  readonly model: string;
  readonly harness: string;
  readonly dataset: string;
  readonly passed: number;
  readonly total: number;
  readonly pass_rate: number;
  readonly wall_hours: number;
}

/** The row's fields by column name; percentages and hours are numbers rounded to two decimals. */
export function leaderboardFields(row: LeaderboardRow): LeaderboardFields {
  const percent = row.total === 0 ? 0 : (100 * row.passed) / row.total;
  return {
    model: row.model,
    harness: row.harness,
    dataset: row.dataset,
    passed: row.passed,
    total: row.total,
    pass_rate: Number(percent.toFixed(2)),
    wall_hours: Number(row.wallHours.toFixed(2)),
  };
}
