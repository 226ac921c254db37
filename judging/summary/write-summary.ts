import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { fullSummary, type FullRunDimensions, type FullSummaryInput } from '../../benchmark/aggregate/full-summary.ts';
import { leaderboardCsv, leaderboardFields, type LeaderboardRow } from '../../benchmark/aggregate/leaderboard-row.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';
import { batchPrefix, safeModel } from '../../benchmark/protocol/names.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { putJson } from '../bundle/stored-json.ts';
import { batchPerTaskCsv } from './batch-per-task-csv.ts';
import { isReadable, type StoredRun } from '../bundle/read-stored-run.ts';
import { readBatchDirectory, scoredRun, lostRun } from './read-runs.ts';
import { upstreamFiles } from './upstream-files.ts';

/** A planned run of the batch and, once it is complete, its outcome. */
export interface BatchRun extends FullRunDimensions {
  readonly name: string;
  readonly task: string;
  readonly repetition: number;
  readonly outcome: string | null;
  readonly reason: string;
}

export interface SummaryFacts {
  readonly batch: string;
  /** `spec.suite.name`. */
  readonly dataset: string;
  readonly runs: readonly BatchRun[];
  /** Empty without a judge. */
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric | null;
  readonly judgeModel: string;
  /** First start to last completion, excluding suspended time; hours. */
  readonly wallHours: number;
}

interface Directory {
  readonly model: string;
  readonly harness: string;
  readonly prefix: string;
  readonly stored: readonly StoredRun[];
}

/**
 * Writes the batch-level objects from the stored runs: upstream's three files in each batch directory, ours below
 * `_batches/<batch>/`. Everything is derived, so writing it again is always safe.
 * @returns the number of runs found.
 */
export async function writeSummary(store: ObjectStore, facts: SummaryFacts): Promise<number> {
  const directories = await readDirectories(store, facts);
  for (const directory of directories) await writeUpstream(store, facts, directory);
  await writeOurs(store, facts, directories);
  return directories.reduce((sum, one) => sum + one.stored.length, 0);
}

async function readDirectories(store: ObjectStore, facts: SummaryFacts): Promise<Directory[]> {
  const pairs = new Map(facts.runs.map((run) => [JSON.stringify([run.model, run.harness]), run]));
  const directories: Directory[] = [];
  for (const { model, harness } of pairs.values()) {
    const prefix = batchPrefix(facts.batch, harness, model);
    directories.push({ model, harness, prefix, stored: await readBatchDirectory(store, prefix, facts.rubrics) });
  }
  return directories;
}

async function writeUpstream(store: ObjectStore, facts: SummaryFacts, directory: Directory): Promise<void> {
  const { prefix, stored } = directory;
  const files = upstreamFiles({
    batchDir: prefix.split('/').at(-1) ?? '',
    model: safeModel(directory.model),
    runs: stored,
    rubrics: facts.rubrics,
    judgeModel: facts.judgeModel,
  });
  await store.put(`${prefix}/rescore-summary.json`, files.rescoreSummary, { contentType: 'application/json' });
  await store.put(`${prefix}/summary.json`, files.summary, { contentType: 'application/json' });
  await store.put(`${prefix}/per_task.csv`, files.perTask, { contentType: 'text/csv' });
}

async function writeOurs(store: ObjectStore, facts: SummaryFacts, directories: readonly Directory[]): Promise<void> {
  const below = `_batches/${facts.batch}/`;
  const stored = new Map(directories.flatMap((one) => one.stored).map((run) => [runNameOf(run), run]));
  const input: FullSummaryInput = {
    runs: facts.runs.flatMap((run) => scored(facts, run, stored.get(run.name))),
    planned: facts.runs,
    rubrics: facts.rubrics,
    passRubric: facts.passRubric ?? 'Strict',
  };
  const { batch, dataset, judgeModel, passRubric } = facts;
  await putJson(store, `${below}summary.json`, { batch, dataset, judgeModel, passRubric, ...fullSummary(input) });
  const rows = facts.runs.map((run) => ({ ...run, outcome: run.outcome ?? '', stored: stored.get(run.name) ?? null }));
  await store.put(`${below}per_task.csv`, batchPerTaskCsv(rows, facts.rubrics), { contentType: 'text/csv' });
  const board = directories.map((directory) => leaderboardRow(facts, directory, input.runs));
  await store.put(`${below}results.csv`, leaderboardCsv(board), { contentType: 'text/csv' });
  const lines = board.map((row) => `${JSON.stringify({ ...leaderboardFields(row), partial: row.partial })}\n`);
  await store.put(`${below}results.jsonl`, lines.join(''));
}

/** The score of a closed run; empty for a cancelled run and for one that is not closed yet. */
function scored(facts: SummaryFacts, run: BatchRun, stored: StoredRun | undefined): (ScoredRun & FullRunDimensions)[] {
  if (run.outcome === 'Cancelled') return [];
  if (stored !== undefined && isReadable(stored)) return [scoredRun(stored, facts.passRubric, run.outcome)];
  return stored === undefined && run.outcome === null ? [] : [lostRun(run)];
}

/** The run's name is the end of its directory: `<place>-<repetition>-<run>/a<N>/`. */
function runNameOf(run: StoredRun): string {
  const directory = run.prefix.split('/').at(-3) ?? '';
  return directory.replace(/^\d+-\d+-/, '');
}

function leaderboardRow(facts: SummaryFacts, directory: Directory, all: readonly ScoredRun[]): LeaderboardRow {
  const { model, harness } = directory;
  const isOwn = (run: { model: string; harness: string }): boolean => run.model === model && run.harness === harness;
  const runs = all.filter(isOwn);
  return {
    model,
    harness,
    dataset: facts.dataset,
    passed: runs.filter((run) => run.passed).length,
    total: runs.length,
    wallHours: facts.wallHours,
    partial: runs.length < facts.runs.filter(isOwn).length,
  };
}
