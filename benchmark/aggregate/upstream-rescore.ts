import { isObject } from '../text/json.ts';
import { pythonFixed } from '../text/python-text.ts';
import type { RequestRubric } from '../judge/rubrics.ts';

/**
 * Upstream's roll-up of one batch directory, key by key: `rescore-summary.json` in the batch directory and `summary.json` in
 * the results directory. Rates are per run, not per task; verdicts of runs that were not intercepted are shown but not
 * counted; only true and false are verdicts. The agentic rubric, for which upstream has no program, adds keys of the same
 * form when it was asked: over every session whose outcome is a result of the agent.
 */
export interface RescoredRun {
  /** The run-meta; upstream does not count runs without a readable one. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly verdicts: Readonly<Partial<Record<RollUpRubric, Readonly<Record<string, unknown>> | null>>>;
  /** See `isNonResult` in `outcome.ts`. */
  readonly nonResult: boolean;
}

/** The rubrics with columns. */
export type RollUpRubric = RequestRubric | 'agentic';

export interface RescoreInput {
  readonly batchDir: string;
  /** In the order of upstream's listing: sorted by path. */
  readonly runs: readonly RescoredRun[];
  /** Lenient before strict, as upstream runs them. */
  readonly rubrics: readonly RollUpRubric[];
  readonly judgeModel: string;
}

interface Counts {
  readonly match: number;
  readonly mismatch: number;
  readonly error: number;
}

/** `rescore-summary.json`. */
export function upstreamRescoreSummary(input: RescoreInput): Record<string, unknown> {
  const total = input.runs.length;
  const intercepted = input.runs.filter(isIntercepted).length;
  const counts = new Map(input.rubrics.map((rubric) => [rubric, countVerdicts(input.runs, rubric)]));
  // The legacy names are those of the strict rubric whenever it ran.
  const legacy = counts.get('strict') ?? counts.get('lenient') ?? { match: 0, mismatch: 0, error: 0 };
  return {
    batch_dir: input.batchDir,
    n_total: total,
    n_intercepted: intercepted,
    tasks: input.runs.map((run) => upstreamTaskRow(run, input.rubrics)),
    ...eachRubric(counts, (rubric, { match, mismatch, error }) => ({
      [`n_match_${rubric}`]: match,
      [`n_mismatch_${rubric}`]: mismatch,
      [`n_judge_err_${rubric}`]: error,
    })),
    pass_rate_stage1_only: share(intercepted, total),
    ...eachRubric(counts, (rubric, { match }) => ({ [`reward_pct_${rubric}`]: share(match, total) })),
    n_judge_match: legacy.match,
    n_judge_mismatch: legacy.mismatch,
    n_judge_error: legacy.error,
    pass_rate_with_judge: share(legacy.match, total),
    judge_model: input.judgeModel,
    rubrics: [...input.rubrics],
  };
}

/** `summary.json` of the results directory. `model` is the name of the batch directory's parent. */
export function upstreamEvalSummary(input: RescoreInput, model: string): Record<string, unknown> {
  const total = input.runs.length;
  const intercepted = input.runs.filter(isIntercepted).length;
  const counts = new Map(input.rubrics.map((rubric) => [rubric, countVerdicts(input.runs, rubric)]));
  return {
    model,
    batch_dir: input.batchDir,
    n_total: total,
    n_intercepted: intercepted,
    intercepted_pct: percent(intercepted, total),
    ...eachRubric(counts, (rubric, { match, mismatch, error }) => ({
      [`reward_${rubric}_pct`]: percent(match, total),
      [`match_${rubric}`]: match,
      [`mismatch_${rubric}`]: mismatch,
      [`judge_err_${rubric}`]: error,
    })),
    judge_model: input.judgeModel,
    rubrics: [...input.rubrics],
  };
}

/** A row of `tasks[]` and of `per_task.csv`. */
export function upstreamTaskRow(run: RescoredRun, rubrics: readonly RollUpRubric[]): Record<string, unknown> {
  const verdicts = rubrics.map((rubric) => {
    const verdict = run.verdicts[rubric];
    const given = isObject(verdict) ? verdict : {};
    return { [`match_${rubric}`]: given['match'] ?? null, [`reason_${rubric}`]: given['reason'] ?? '' };
  });
  return {
    task_id: run.meta['task_id'] ?? null,
    test_case: run.meta['test_case'] ?? null,
    intercepted: isIntercepted(run),
    ...(Object.assign({}, ...verdicts) as Record<string, unknown>),
  };
}

function isIntercepted(run: RescoredRun): boolean {
  return Boolean(run.meta['intercepted']);
}

function countVerdicts(runs: readonly RescoredRun[], rubric: RollUpRubric): Counts {
  const judged = runs.filter(rubric === 'agentic' ? (run) => !run.nonResult : isIntercepted);
  const matches = judged.map((run) => run.verdicts[rubric]?.['match']);
  const match = matches.filter((value) => value === true).length;
  const mismatch = matches.filter((value) => value === false).length;
  return { match, mismatch, error: matches.length - match - mismatch };
}

function eachRubric(
  counts: ReadonlyMap<RollUpRubric, Counts>,
  fields: (rubric: RollUpRubric, counts: Counts) => Record<string, unknown>,
): Record<string, unknown> {
  return Object.assign({}, ...[...counts].map(([rubric, count]) => fields(rubric, count))) as Record<string, unknown>;
}

function share(part: number, total: number): number {
  return total === 0 ? 0 : part / total;
}

function percent(part: number, total: number): string {
  return `${pythonFixed(100 * share(part, total), 1)}%`;
}
