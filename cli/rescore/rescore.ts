import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { isKept, type KeepVerdicts } from '../../benchmark/judge/rescore-plan.ts';
import { verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { isTruthy } from '../../benchmark/text/python-equality.ts';
import type { References } from '../../judging/agentic/find-reference.ts';
import { openRateLimitedChat } from '../../judging/call/rate-limited-chat.ts';
import { JUDGE_RETRY, type CallRetryPolicy } from '../../judging/call/retry.ts';
import { isNonResultBundle, readRuns } from '../../judging/summary/read-runs.ts';
import { isReadable, type ReadableRun, type StoredRun } from '../../judging/bundle/read-stored-run.ts';
import { judgeRun, type JudgeContext, type JudgedTask } from '../../judging/run/judge-run.ts';
import { textOf } from '../../judging/bundle/stored-json.ts';
import { judgeRuns } from '../../judging/run/judge-runs.ts';
import { findBundles } from './find-bundles.ts';
import { groupBatches } from './group-batches.ts';
import type { BundleLocation } from './open-bundle-location.ts';
import { rollUp, type BatchReport } from './roll-up.ts';

export interface RescoreOptions {
  /** In upstream's order: lenient before strict. */
  readonly rubrics: readonly Rubric[];
  /** Decides `passed` in the tables. */
  readonly passRubric: Rubric;
  readonly model: ModelEntry;
  /** Maximum number of concurrent calls. */
  readonly workers: number;
  /** Judge runs again that have a verdict. */
  readonly force: boolean;
  /** Maximum number of runs to judge; 0 for all. */
  readonly limit: number;
  /** Folder for the tables; null for none. */
  readonly out: string | null;
  /** The location is one batch directory. */
  readonly single: boolean;
  /** For the agentic rubric. */
  readonly references: References | null;
  readonly taskOf: (caseName: string) => JudgedTask | null;
  readonly policy?: CallRetryPolicy;
}

export interface RescoreReport {
  readonly batches: readonly BatchReport[];
  /** Number of runs that were judged. */
  readonly judged: number;
  /** Verdicts that are still missing: run and rubric. */
  readonly missing: readonly { readonly run: string; readonly rubric: Rubric }[];
  /** One message per run that could not be read or judged, and the reason if judging stopped early. */
  readonly problems: readonly string[];
}

/** Runs in progress per call: while one call waits for its reply, the next run is read. */
const ROWS_PER_WORKER = 2;

/**
 * Judges the runs at a location that have no verdict and summarizes each batch directory, with the code of the cluster's
 * judge Job. Existing verdicts are kept unless forced, so an interrupted rescore continues when it is run again.
 */
export async function rescore(location: BundleLocation, options: RescoreOptions): Promise<RescoreReport> {
  const bundles = await findBundles(location);
  const refused = new Map(bundles.flatMap(({ prefix, problem }) => (problem === null ? [] : [[prefix, problem]])));
  const found = await readRuns(
    location.store,
    bundles.filter(({ problem }) => problem === null).map(({ prefix }) => prefix),
    options.rubrics,
  );
  const due = found.filter(isReadable).filter((run) => isDue(run, options));
  const todo = options.limit > 0 ? due.slice(0, options.limit) : due;
  const { done, problems } = await judgeAll(location, todo, options);
  const open = todo.filter((run) => !done.has(run.prefix)).map((run) => run.prefix);
  // A run whose second rubric failed has the verdict of the first one.
  const again = await readRuns(location.store, open, options.rubrics);
  const known = new Map([...found, ...again, ...done.values()].map((run) => [run.prefix, run]));
  const fresh = bundles.map(({ prefix }) => known.get(prefix) ?? { prefix, meta: null, verdicts: {} });
  const batches: BatchReport[] = [];
  const taken = new Set<string>();
  const facts = { ...options, judgeModel: options.model.name };
  for (const batch of groupBatches(fresh, options.single)) batches.push(await rollUp(location, batch, facts, taken));
  const unreadable = fresh.filter((run) => !isReadable(run)).map((run) => unreadableSentence(location, run, refused));
  return {
    batches,
    judged: done.size,
    missing: missingVerdicts(fresh, options.rubrics),
    problems: [...unreadable, ...problems],
  };
}

function keepOf({ force }: RescoreOptions): KeepVerdicts {
  return force ? 'Nothing' : 'AnyJudge';
}

function isDue(run: ReadableRun, options: RescoreOptions): boolean {
  return options.rubrics.some((rubric) => {
    if (!isAsked(run, rubric)) return false;
    const verdict = run.verdicts[rubric];
    return verdict === undefined || !isKept(verdict, keepOf(options));
  });
}

/** The agentic rubric judges what the agent did, unless the infrastructure ended it; the others need an intercepted request. */
function isAsked({ meta }: ReadableRun, rubric: Rubric): boolean {
  return rubric === 'Agentic' ? !isNonResultBundle(meta) : isTruthy(meta['intercepted']);
}

async function judgeAll(
  location: BundleLocation,
  todo: readonly ReadableRun[],
  options: RescoreOptions,
): Promise<{ done: ReadonlyMap<string, ReadableRun>; problems: string[] }> {
  const problems: string[] = [];
  const context: JudgeContext = {
    store: location.store,
    ask: openRateLimitedChat(options.model, options.workers, options.policy ?? JUDGE_RETRY),
    model: options.model.name,
    structured: options.model.structuredOutput ?? false,
    rubrics: options.rubrics,
    passRubric: options.passRubric,
    taskOf: options.taskOf,
    keep: keepOf(options),
    agentic: { references: options.references },
    updateMeta: false,
  };
  const result = await judgeRuns(
    todo,
    ROWS_PER_WORKER * options.workers,
    async (run) => {
      const asked = { ...context, rubrics: options.rubrics.filter((rubric) => isAsked(run, rubric)) };
      const files = await judgeRun(asked, { prefix: run.prefix, case: textOf(run.meta['test_case']), stored: run });
      return { ...run, verdicts: { ...run.verdicts, ...files } };
    },
    (run, error) =>
      problems.push(`${location.pathOf(run.prefix)}: ${error instanceof Error ? error.message : String(error)}`),
  );
  if (result.stopped !== null) problems.push(`judging stopped early: ${result.stopped.message}`);
  return { done: new Map(result.done.map((run) => [run.prefix, run])), problems };
}

function unreadableSentence(location: BundleLocation, run: StoredRun, refused: ReadonlyMap<string, string>): string {
  const why = refused.get(run.prefix) ?? 'run-meta.json is not a JSON object encoded in UTF-8';
  return `${location.pathOf(run.prefix)} cannot be read (${why}); the run counts as Infrastructure`;
}

function missingVerdicts(runs: readonly StoredRun[], rubrics: readonly Rubric[]): RescoreReport['missing'] {
  return runs.filter(isReadable).flatMap((run) =>
    rubrics
      .filter((rubric) => isAsked(run, rubric))
      .filter((rubric) => verdictMatch(run.verdicts[rubric] ?? null) === null)
      .map((rubric) => ({ run: run.prefix, rubric })),
  );
}
