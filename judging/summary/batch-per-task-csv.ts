import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { csv } from '../../benchmark/aggregate/per-task-csv.ts';
import { isTruthy } from '../../benchmark/text/python-equality.ts';
import { textOf } from '../bundle/stored-json.ts';
import type { StoredRun } from '../bundle/read-stored-run.ts';

/** A planned run, with its bundle when there is one. */
export interface PerTaskRun {
  readonly model: string;
  readonly harness: string;
  readonly repetition: number;
  readonly outcome: string;
  readonly task: string;
  readonly stored: StoredRun | null;
}

/** The batch's `per_task.csv`: one row per planned run; a run without a bundle has a row with its known outcome. */
export function batchPerTaskCsv(runs: readonly PerTaskRun[], rubrics: readonly Rubric[]): string {
  const columns = rubrics.map((rubric) => rubric.toLowerCase()).flatMap((name) => [`match_${name}`, `reason_${name}`]);
  const rows = runs.map(({ stored, task, ...run }) => ({
    ...run,
    task_id: stored?.meta?.['task_id'] ?? null,
    test_case: task,
    intercepted: isTruthy(stored?.meta?.['intercepted'] ?? false),
    ...Object.fromEntries(rubrics.flatMap((rubric) => verdictCells(stored, rubric))),
  }));
  return csv(['model', 'harness', 'repetition', 'outcome', 'task_id', 'test_case', 'intercepted', ...columns], rows);
}

function verdictCells(stored: StoredRun | null, rubric: Rubric): [string, unknown][] {
  const verdict = stored?.verdicts[rubric];
  const name = rubric.toLowerCase();
  return [
    [`match_${name}`, verdict?.['match'] ?? null],
    [`reason_${name}`, textOf(verdict?.['reason'])],
  ];
}
