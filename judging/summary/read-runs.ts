import pLimit from 'p-limit';
import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { isEligible } from '../../benchmark/aggregate/eligible.ts';
import { isNonResult } from '../../benchmark/outcome/outcome.ts';
import type { FullRunDimensions } from '../../benchmark/aggregate/full-summary.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';
import type { RescoredRun } from '../../benchmark/aggregate/upstream-rescore.ts';
import { categoryGroup } from '../../benchmark/task/category-group.ts';
import { isObject } from '../../benchmark/text/json.ts';
import { verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import { isTruthy } from '../../benchmark/text/python-equality.ts';
import { siteHost } from '../../benchmark/task/task.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { readStoredRun, type ReadableRun, type StoredRun } from '../bundle/read-stored-run.ts';
import { textOf, type StoredJson } from '../bundle/stored-json.ts';

/** Runs read concurrently: each is a few small objects, and each object takes a round trip to S3. */
const PARALLEL = 16;

/** Reads the runs at these prefixes, in order, with the verdict files of these rubrics. */
export async function readRuns(
  store: ObjectStore,
  prefixes: readonly string[],
  rubrics: readonly Rubric[],
): Promise<readonly StoredRun[]> {
  const limit = pLimit(PARALLEL);
  return Promise.all(prefixes.map((prefix) => limit(() => readStoredRun(store, prefix, rubrics))));
}

/**
 * The runs below a batch directory in task order.
 * @param batchPrefix `<safeModel>/batch-…`, without trailing slash.
 */
export async function readBatchDirectory(
  store: ObjectStore,
  batchPrefix: string,
  rubrics: readonly Rubric[],
): Promise<readonly StoredRun[]> {
  const prefixes: string[] = [];
  for await (const { key } of store.list(`${batchPrefix}/`)) {
    if (key.endsWith('/run-meta.json')) prefixes.push(key.slice(0, -'run-meta.json'.length));
  }
  return readRuns(store, prefixes, rubrics);
}

/** The run as input of upstream's roll-up. Upstream skips an unreadable run, so its files do too. */
export function rescoredRun(run: ReadableRun): RescoredRun {
  const { Strict: strict = null, Lenient: lenient = null, Agentic: agentic = null } = run.verdicts;
  return { meta: run.meta, verdicts: { strict, lenient, agentic }, nonResult: isNonResultBundle(run.meta) };
}

/**
 * The run as input of our tables.
 * @param outcome the outcome in the run's status; null: only the bundle is known.
 */
export function scoredRun(
  run: ReadableRun,
  passRubric: Rubric | null,
  outcome: string | null,
): ScoredRun & FullRunDimensions {
  const { meta } = run;
  const ended = outcome ?? outcomeOf(meta);
  const verdicts = isNonResult(ended) ? {} : matches(run);
  const intercepted = isTruthy(meta['intercepted']);
  const harness = textOf(meta['harness']);
  return {
    task: textOf(meta['test_case']),
    model: textOf(meta['model']),
    harness,
    group: categoryGroup(textOf(meta['metaclass']), textOf(meta['class'])),
    metaclass: textOf(meta['metaclass']),
    site: siteHost(meta['sites_involved']),
    repetition: repetitionOf(meta),
    intercepted,
    eligible: isEligible({ outcome: ended, harness, resultCategory: textOf(meta['result_category']) }),
    nonResult: isNonResult(ended),
    passed: !isNonResult(ended) && isPassed(intercepted, passRubric, verdicts),
    verdicts,
  };
}

/** The agentic rubric judges the whole session, so it decides alone; the others are about the intercepted request. */
function isPassed(intercepted: boolean, rubric: Rubric | null, verdicts: ScoredRun['verdicts']): boolean {
  if (rubric === null) return intercepted;
  return verdicts[rubric]?.match === true && (rubric === 'Agentic' || intercepted);
}

function matches(run: ReadableRun): ScoredRun['verdicts'] {
  const entries = Object.entries(run.verdicts).map(([rubric, file]) => [rubric, { match: verdictMatch(file) }]);
  return Object.fromEntries(entries) as ScoredRun['verdicts'];
}

/** Whether the bundle's own outcome is not a result of the agent: then no verdict about the session is asked for. */
export function isNonResultBundle(meta: StoredJson): boolean {
  return isNonResult(outcomeOf(meta));
}

/** Our outcome, when the bundle says it: it was closed for an attempt that died, or the system caused the end. */
function outcomeOf(meta: StoredJson): string | null {
  const ours = isObject(meta['clawbench']) ? meta['clawbench'] : {};
  if (typeof ours['outcome'] === 'string') return ours['outcome'];
  return ours['cause'] === 'infrastructure' ? 'Infrastructure' : null;
}

function repetitionOf(meta: StoredJson): number {
  const repetition = isObject(meta['clawbench']) ? meta['clawbench']['repetition'] : undefined;
  return typeof repetition === 'number' ? repetition : 1;
}

/**
 * The score of a run whose bundle is missing or cannot be read: it counts as infrastructure. Upstream drops such a run, so
 * its rates rise with every loss; here it stays in the denominator.
 */
export function lostRun(
  run: FullRunDimensions & Pick<ScoredRun, 'task' | 'repetition'>,
): ScoredRun & FullRunDimensions {
  const { task, repetition, model, harness, group, metaclass, site } = run;
  const dimensions = { task, repetition, model, harness, group, metaclass, site };
  return { ...dimensions, intercepted: false, eligible: false, nonResult: true, passed: false, verdicts: {} };
}
