import type { Rubric } from '../judge/rubrics.ts';
import { CATEGORY_GROUPS } from '../task/category-group.ts';
import { scoreRuns, type Score, type ScoredRun } from './score.ts';

/** `status.rescoreSummary` of a batch. */
export interface ScoreTables {
  readonly overall: Score & { readonly partial: boolean };
  readonly byModel: readonly ScoreTableRow[];
  readonly byHarness: readonly ScoreTableRow[];
  readonly byCategory: readonly ScoreTableRow[];
}
export type ScoreTableRow = { readonly name: string } & Score;

/** Rows per table; all others are combined in {@link OTHER_ROW}. 50 rows in three tables would be 80 KB of status. */
export const MAX_TABLE_ROWS = 20;
export const OTHER_ROW = '(other)';

export interface SummaryInput<T extends RunDimensions = RunDimensions> {
  readonly runs: readonly (ScoredRun & T)[];
  /** The planned runs: one per task, model, harness and repetition. */
  readonly planned: readonly T[];
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric;
}
export type RunDimensions = Pick<ScoredRun, 'model' | 'harness' | 'group'>;

/** Overall and by model, harness and category, in at most {@link MAX_TABLE_ROWS} rows each. */
export function rescoreSummary(input: SummaryInput): ScoreTables {
  const overall = scoreRuns(input.runs, input.planned.length, input.rubrics);
  return {
    overall: { ...overall, partial: overall.nTotal < overall.nPlanned },
    byModel: scoreTable(input, (run) => run.model, MAX_TABLE_ROWS),
    byHarness: scoreTable(input, (run) => run.harness, MAX_TABLE_ROWS),
    byCategory: scoreTable(input, (run) => run.group, MAX_TABLE_ROWS).toSorted(byGroup),
  };
}

/**
 * One row per key, best first: by intercepted rate, then the pass rubric's rate, then name.
 * @param maxRows all further keys share the last row.
 */
export function scoreTable<T extends RunDimensions>(
  input: SummaryInput<T>,
  keyOf: (run: T) => string,
  maxRows = Infinity,
): ScoreTableRow[] {
  const runs = Map.groupBy(input.runs, (run) => keyOf(run));
  const planned = Map.groupBy(input.planned, keyOf);
  const names = [...new Set([...planned.keys(), ...runs.keys()])];
  const row = (name: string, keys: readonly string[]): ScoreTableRow => ({
    name,
    ...scoreRuns(
      keys.flatMap((key) => runs.get(key) ?? []),
      keys.reduce((sum, key) => sum + (planned.get(key)?.length ?? 0), 0),
      input.rubrics,
    ),
  });
  const rows = names.map((name) => row(name, [name])).sort((a, b) => compareRows(a, b, input.passRubric));
  if (rows.length <= maxRows) return rows;
  const rest = rows.slice(maxRows).map(({ name }) => name);
  return [...rows.slice(0, maxRows), row(OTHER_ROW, rest)];
}

/** The ranking in reports. */
function compareRows(left: ScoreTableRow, right: ScoreTableRow, passRubric: Rubric): number {
  const intercepted = (right.interceptedRate ?? -1) - (left.interceptedRate ?? -1);
  const passed = (right.rubrics[passRubric]?.rate ?? -1) - (left.rubrics[passRubric]?.rate ?? -1);
  return intercepted || passed || (left.name < right.name ? -1 : 1);
}

/** Categories are in the paper's order, so that two batches can be compared side by side. */
function byGroup(left: ScoreTableRow, right: ScoreTableRow): number {
  return place(left.name) - place(right.name);
}

function place(name: string): number {
  const index = (CATEGORY_GROUPS as readonly string[]).indexOf(name);
  return index === -1 ? CATEGORY_GROUPS.length : index;
}
