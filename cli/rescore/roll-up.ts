import { join } from 'node:path';
import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { fullSummary, type FullRunDimensions, type FullSummary } from '../../benchmark/aggregate/full-summary.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';
import { stringifyJson } from '../../benchmark/text/json.ts';
import { scoredRun, lostRun } from '../../judging/summary/read-runs.ts';
import { isReadable, type StoredRun } from '../../judging/bundle/read-stored-run.ts';
import { upstreamFiles } from '../../judging/summary/upstream-files.ts';
import { openDirectoryStore } from '../../store/directory.ts';
import type { BatchDirectory } from './group-batches.ts';
import type { BundleLocation } from './open-bundle-location.ts';

export interface RollUpFacts {
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric;
  readonly judgeModel: string;
  /** Folder for the tables; null for none. */
  readonly out: string | null;
}

export interface BatchReport {
  readonly batch: string;
  readonly path: string;
  readonly unreadable: number;
  readonly scores: FullSummary;
}

/**
 * Writes the summary of a batch directory into it, and its tables to a folder in OUT. Each file is written atomically.
 * @param taken names in OUT that are in use, since batches of two models may have the same name
 */
export async function rollUp(
  location: BundleLocation,
  batch: BatchDirectory,
  facts: RollUpFacts,
  taken: Set<string>,
): Promise<BatchReport> {
  const parts = batch.key.split('/');
  const name = batch.key === '' ? location.name : (parts.at(-1) ?? '');
  const model = batch.key === '' ? location.parent : (parts.at(-2) ?? location.name);
  const files = upstreamFiles({ ...facts, batchDir: location.pathOf(batch.key), model, runs: batch.runs });
  const scores = score(batch.runs, facts);
  await location.store.put(batch.key === '' ? SUMMARY : `${batch.key}/${SUMMARY}`, files.rescoreSummary);
  if (facts.out !== null) {
    const out = openDirectoryStore(join(facts.out, freeName(name, model, taken)));
    await out.put('per_task.csv', files.perTask);
    await out.put('summary.json', files.summary);
    await out.put('scores.json', `${stringifyJson(scores, 2)}\n`);
  }
  const unreadable = batch.runs.filter((run) => !isReadable(run)).length;
  return { batch: name, path: location.pathOf(batch.key), unreadable, scores };
}

const SUMMARY = 'rescore-summary.json';

/** The name of the batch; if taken, prefixed with the model's name; if taken, with a number appended. */
function freeName(name: string, model: string, taken: Set<string>): string {
  const long = `${model}--${name}`;
  let free = taken.has(name) ? long : name;
  for (let next = 2; taken.has(free); next += 1) free = `${long}--${String(next)}`;
  taken.add(free);
  return free;
}

function score(stored: readonly StoredRun[], { rubrics, passRubric }: RollUpFacts): FullSummary {
  const runs = stored.map((run) => (isReadable(run) ? scoredRun(run, passRubric, null) : lost(run)));
  return fullSummary({ runs, planned: runs, rubrics, passRubric });
}

function lost(run: StoredRun): ScoredRun & FullRunDimensions {
  const nothing = { model: '', harness: '', group: 'Other', metaclass: '', site: '', repetition: 1 };
  return lostRun({ ...nothing, task: run.prefix });
}
