import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { stands, type Keep } from '../../benchmark/judge/rescore-plan.ts';
import { verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { isTruthy } from '../../benchmark/text/python-equality.ts';
import type { References } from '../../judging/agentic/find-reference.ts';
import { openProvider } from '../../judging/call/rate-limited-chat.ts';
import { JUDGE_RETRY, type RetryPolicy } from '../../judging/call/retry.ts';
import { isNonResultBundle, readRuns } from '../../judging/summary/read-runs.ts';
import { isReadable, type ReadableRun, type StoredRun } from '../../judging/bundle/read-stored-run.ts';
import { judgeRun, type JudgeContext, type JudgedTask } from '../../judging/run/judge-run.ts';
import { textOf } from '../../judging/bundle/json-object.ts';
import { workList } from '../../judging/run/judge-runs.ts';
import { findBundles } from './find-bundles.ts';
import { groupBatches } from './group-batches.ts';
import type { BundleLocation } from './open-bundle-location.ts';
import { rollUp, type BatchReport } from './roll-up.ts';

export interface RescoreOptions {
  /** In upstream's order: lenient before strict. */
  readonly rubrics: readonly Rubric[];
  /** Decides `passed` in our own tables. */
  readonly passRubric: Rubric;
  readonly model: ModelEntry;
  /** Calls at a time. */
  readonly workers: number;
  /** Ask again what has a verdict. */
  readonly force: boolean;
  /** Judge at most this many runs; 0: all. */
  readonly limit: number;
  /** Where tables go; null: nowhere. */
  readonly out: string | null;
  /** The place is one batch directory. */
  readonly single: boolean;
  /** For the agentic rubric. */
  readonly references: References | null;
  readonly taskOf: (caseName: string) => JudgedTask | null;
  readonly policy?: RetryPolicy;
}

export interface RescoreReport {
  readonly batches: readonly BatchReport[];
  /** Runs for which the judge was asked and answered. */
  readonly judged: number;
  /** Verdicts that are still not there: run and rubric. */
  readonly missing: readonly { readonly run: string; readonly rubric: Rubric }[];
  /** One sentence per run that could not be read or judged, and why the queue stopped. */
  readonly problems: readonly string[];
}

/** Rows in hand per call: while one call waits for its answer, the next question is read. */
const ROWS_PER_WORKER = 2;

/**
 * Judges what is missing among the runs below a place and rolls every batch directory up. The same code as the cluster's
 * judge Job; what is there stays unless forced, so an interrupted rescore is continued by the same call.
 */
export async function rescore(place: BundleLocation, options: RescoreOptions): Promise<RescoreReport> {
  const bundles = await findBundles(place);
  const refused = new Map(bundles.flatMap(({ prefix, problem }) => (problem === null ? [] : [[prefix, problem]])));
  const found = await readRuns(
    place.store,
    bundles.filter(({ problem }) => problem === null).map(({ prefix }) => prefix),
    options.rubrics,
  );
  const due = found.filter(isReadable).filter((run) => isDue(run, options));
  const todo = options.limit > 0 ? due.slice(0, options.limit) : due;
  const { done, problems } = await judgeAll(place, todo, options);
  const open = todo.filter((run) => !done.has(run.prefix)).map((run) => run.prefix);
  // Of a run that failed at its second rubric, the first verdict lies there.
  const again = await readRuns(place.store, open, options.rubrics);
  const known = new Map([...found, ...again, ...done.values()].map((run) => [run.prefix, run]));
  const fresh = bundles.map(({ prefix }) => known.get(prefix) ?? { prefix, meta: null, verdicts: {} });
  const batches: BatchReport[] = [];
  const taken = new Set<string>();
  const facts = { ...options, judgeModel: options.model.name };
  for (const batch of groupBatches(fresh, options.single)) batches.push(await rollUp(place, batch, facts, taken));
  const unreadable = fresh.filter((run) => !isReadable(run)).map((run) => unreadableSentence(place, run, refused));
  return {
    batches,
    judged: done.size,
    missing: missingVerdicts(fresh, options.rubrics),
    problems: [...unreadable, ...problems],
  };
}

function keepOf({ force }: RescoreOptions): Keep {
  return force ? 'Nothing' : 'AnyJudge';
}

function isDue(run: ReadableRun, options: RescoreOptions): boolean {
  return options.rubrics.some((rubric) => {
    if (!isAsked(run, rubric)) return false;
    const verdict = run.verdicts[rubric];
    return verdict === undefined || !stands(verdict, keepOf(options));
  });
}

/** The agentic rubric judges what the agent did, unless we ended it; the others need a caught request. */
function isAsked({ meta }: ReadableRun, rubric: Rubric): boolean {
  return rubric === 'Agentic' ? !isNonResultBundle(meta) : isTruthy(meta['intercepted']);
}

async function judgeAll(
  place: BundleLocation,
  todo: readonly ReadableRun[],
  options: RescoreOptions,
): Promise<{ done: ReadonlyMap<string, ReadableRun>; problems: string[] }> {
  const problems: string[] = [];
  const context: JudgeContext = {
    store: place.store,
    ask: openProvider(options.model, options.workers, options.policy ?? JUDGE_RETRY),
    model: options.model.name,
    structured: options.model.structuredOutput ?? false,
    rubrics: options.rubrics,
    passRubric: options.passRubric,
    taskOf: options.taskOf,
    keep: keepOf(options),
    agentic: { references: options.references },
    updateMeta: false,
  };
  const result = await workList(
    todo,
    ROWS_PER_WORKER * options.workers,
    async (run) => {
      const asked = { ...context, rubrics: options.rubrics.filter((rubric) => isAsked(run, rubric)) };
      const files = await judgeRun(asked, { prefix: run.prefix, case: textOf(run.meta['test_case']), stored: run });
      return { ...run, verdicts: { ...run.verdicts, ...files } };
    },
    (run, error) =>
      problems.push(`${place.pathOf(run.prefix)}: ${error instanceof Error ? error.message : String(error)}`),
  );
  if (result.stopped !== null) problems.push(`judging stopped: ${result.stopped.message}`);
  return { done: new Map(result.done.map((run) => [run.prefix, run])), problems };
}

function unreadableSentence(place: BundleLocation, run: StoredRun, refused: ReadonlyMap<string, string>): string {
  const why = refused.get(run.prefix) ?? 'run-meta.json is not a JSON object in UTF-8';
  return `${place.pathOf(run.prefix)} cannot be read (${why}); it counts as infrastructure`;
}

function missingVerdicts(runs: readonly StoredRun[], rubrics: readonly Rubric[]): RescoreReport['missing'] {
  return runs.filter(isReadable).flatMap((run) =>
    rubrics
      .filter((rubric) => isAsked(run, rubric))
      .filter((rubric) => verdictMatch(run.verdicts[rubric] ?? null) === null)
      .map((rubric) => ({ run: run.prefix, rubric })),
  );
}
