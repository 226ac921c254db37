import type { Rubric } from '../judge/rubrics.ts';
import { GROUPS } from '../task/category-group.ts';
import { scoreRuns, type Score, type ScoredRun } from './score.ts';

/** `status.rescoreSummary` of a batch. */
export interface RescoreSummary {
  readonly overall: Score & { readonly partial: boolean };
  readonly byModel: readonly ScoreRow[];
  readonly byHarness: readonly ScoreRow[];
  readonly byCategory: readonly ScoreRow[];
}
export type ScoreRow = { readonly name: string } & Score;

/** Rows per table; the rest is one row {@link OTHER}. 50 rows of three tables would be 80 KB of status. */
export const MAX_TABLE_ROWS = 20;
export const OTHER = '(other)';

export interface SummaryInput<T extends PlannedRun = PlannedRun> {
  readonly runs: readonly (ScoredRun & T)[];
  /** Planned runs by the same dimensions as the runs: a row per task, model, harness and repetition. */
  readonly planned: readonly T[];
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric;
}
export type PlannedRun = Pick<ScoredRun, 'model' | 'harness' | 'group'>;

/** Overall and by model, harness and category, in at most {@link MAX_TABLE_ROWS} rows each. */
export function rescoreSummary(input: SummaryInput): RescoreSummary {
  const overall = scoreRuns(input.runs, input.planned.length, input.rubrics);
  return {
    overall: { ...overall, partial: overall.nTotal < overall.nPlanned },
    byModel: table(input, (run) => run.model, MAX_TABLE_ROWS),
    byHarness: table(input, (run) => run.harness, MAX_TABLE_ROWS),
    byCategory: table(input, (run) => run.group, MAX_TABLE_ROWS).toSorted(byGroup),
  };
}

/**
 * One row per key, best first: by intercepted rate, then the pass rubric's rate, then name.
 * @param maxRows more keys than this share a last row.
 */
export function table<T extends PlannedRun>(
  input: SummaryInput<T>,
  keyOf: (run: T) => string,
  maxRows = Infinity,
): ScoreRow[] {
  const runs = Map.groupBy(input.runs, (run) => keyOf(run));
  const planned = Map.groupBy(input.planned, keyOf);
  const names = [...new Set([...planned.keys(), ...runs.keys()])];
  const row = (name: string, keys: readonly string[]): ScoreRow => ({
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
  return [...rows.slice(0, maxRows), row(OTHER, rest)];
}

/** Ranking of reports. */
function compareRows(left: ScoreRow, right: ScoreRow, passRubric: Rubric): number {
  const intercepted = (right.interceptedRate ?? -1) - (left.interceptedRate ?? -1);
  const passed = (right.rubrics[passRubric]?.rate ?? -1) - (left.rubrics[passRubric]?.rate ?? -1);
  return intercepted || passed || (left.name < right.name ? -1 : 1);
}

/** Categories keep the paper's order, so that two batches can be read side by side. */
function byGroup(left: ScoreRow, right: ScoreRow): number {
  return place(left.name) - place(right.name);
}

function place(name: string): number {
  const index = (GROUPS as readonly string[]).indexOf(name);
  return index === -1 ? GROUPS.length : index;
}
