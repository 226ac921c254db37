import { isEligible, isOurs } from '../../benchmark/aggregate/eligible.ts';
import { categoryGroup } from '../../benchmark/category-group.ts';
import type { RubricName, ScoredRun } from '../../benchmark/aggregate/score.ts';
import type { RescoredRun } from '../../benchmark/aggregate/upstream-rescore.ts';
import { isObject } from '../../benchmark/json.ts';
import { RUBRIC_PROMPTS } from '../../benchmark/judge/rubric.ts';
import { verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { readJson, type JsonObject } from '../work/stored-json.ts';

/** A closed run as it lies in the store. */
export interface StoredRun {
  /** Key prefix of the attempt that counts, with trailing slash. */
  readonly prefix: string;
  readonly meta: JsonObject;
  readonly strict: JsonObject | null;
  readonly lenient: JsonObject | null;
}

/**
 * The runs below a batch directory in the order of their keys, which is task order. An unreadable run-meta is left out
 * of upstream's tables, as upstream leaves it out; whoever counts planned runs still sees that it is missing.
 * @param batchPrefix `<safeModel>/batch-…`, without trailing slash.
 */
export async function readBatchDirectory(store: ObjectStore, batchPrefix: string): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = [];
  for await (const { key } of store.list(`${batchPrefix}/`)) {
    if (!key.endsWith('/run-meta.json')) continue;
    const prefix = key.slice(0, -'run-meta.json'.length);
    const meta = await readJson(store, key);
    if (meta === null) continue;
    const strict = await readJson(store, prefix + RUBRIC_PROMPTS.strict.file);
    const lenient = await readJson(store, prefix + RUBRIC_PROMPTS.lenient.file);
    runs.push({ prefix, meta, strict, lenient });
  }
  return runs;
}

/** The run as upstream's roll-up takes it. */
export function rescoredRun(run: StoredRun): RescoredRun {
  return { meta: run.meta, verdicts: { strict: run.strict, lenient: run.lenient } };
}

/**
 * The run as our tables take it.
 * @param outcome what the operator says of it; null: only the bundle is known.
 */
export function scoredRun(run: StoredRun, passRubric: RubricName | null, outcome: string | null): ScoredRun {
  const { meta } = run;
  const intercepted = meta['intercepted'] === true;
  const ended = outcome ?? outcomeOf(meta);
  const verdicts = isOurs(ended) ? {} : verdictsOf(run);
  const byRubric: Readonly<Partial<Record<RubricName, { match: boolean | null }>>> = verdicts;
  return {
    task: text(meta['test_case']),
    model: text(meta['model']),
    harness: text(meta['harness']),
    group: categoryGroup(text(meta['metaclass']), text(meta['class'])),
    repetition: repetitionOf(meta),
    intercepted,
    eligible: isEligible({
      outcome: ended,
      harness: text(meta['harness']),
      resultCategory: text(meta['result_category']),
    }),
    passed: intercepted && !isOurs(ended) && (passRubric === null || byRubric[passRubric]?.match === true),
    verdicts,
  };
}

function verdictsOf(run: StoredRun): ScoredRun['verdicts'] {
  return {
    ...(run.strict === null ? {} : { Strict: { match: verdictMatch(run.strict) } }),
    ...(run.lenient === null ? {} : { Lenient: { match: verdictMatch(run.lenient) } }),
  };
}

/** Our outcome, when the bundle says it: a run that was closed for a dead attempt, or ended by our fault. */
function outcomeOf(meta: JsonObject): string | null {
  const ours = isObject(meta['clawbench']) ? meta['clawbench'] : {};
  if (typeof ours['outcome'] === 'string') return ours['outcome'];
  return ours['cause'] === 'infrastructure' ? 'Infrastructure' : null;
}

function repetitionOf(meta: JsonObject): number {
  const repetition = isObject(meta['clawbench']) ? meta['clawbench']['repetition'] : undefined;
  return typeof repetition === 'number' ? repetition : 1;
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
