import { leaderboardCsv, leaderboardFields, type LeaderboardRow } from '../../benchmark/aggregate/leaderboard-row.ts';
import { csv, perTaskCsv } from '../../benchmark/aggregate/per-task-csv.ts';
import { table, type PlannedRun, type SummaryInput } from '../../benchmark/aggregate/rescore-summary.ts';
import { scoreRuns, type RubricName, type ScoredRun } from '../../benchmark/aggregate/score.ts';
import {
  upstreamEvalSummary,
  upstreamRescoreSummary,
  type RescoreInput,
} from '../../benchmark/aggregate/upstream-rescore.ts';
import type { RequestRubric } from '../../benchmark/request-rubric.ts';
import { safeModel } from '../../benchmark/safe-model.ts';
import { batchPrefix } from '../../benchmark/names.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { putJson } from '../work/stored-json.ts';
import { readBatchDirectory, rescoredRun, scoredRun, text, type StoredRun } from './read-runs.ts';

/** A planned run of the batch and, once it ended, its outcome. */
export interface BatchRun extends PlannedRun {
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
  readonly rubrics: readonly RubricName[];
  readonly passRubric: RubricName | null;
  readonly judgeModel: string;
  /** First start to the last end, suspended time excluded; hours. */
  readonly wallHours: number;
}

interface Directory {
  readonly model: string;
  readonly harness: string;
  readonly prefix: string;
  readonly stored: readonly StoredRun[];
}

/**
 * Writes the batch-level objects from what lies in the store: upstream's three files in each batch directory, ours
 * below `_batches/<batch>/`. Everything is derived, so writing it again is always right.
 * @returns the number of runs that were found.
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
    directories.push({ model, harness, prefix, stored: await readBatchDirectory(store, prefix) });
  }
  return directories;
}

/** Upstream names its rubrics in lower case and runs lenient first. */
function upstreamRubrics(rubrics: readonly RubricName[]): readonly RequestRubric[] {
  return (['lenient', 'strict'] as const).filter((name) => rubrics.some((rubric) => rubric.toLowerCase() === name));
}

async function writeUpstream(store: ObjectStore, facts: SummaryFacts, directory: Directory): Promise<void> {
  const name = directory.prefix.split('/').at(-1) ?? '';
  const input: RescoreInput = {
    batchDir: name,
    runs: directory.stored.map(rescoredRun),
    rubrics: upstreamRubrics(facts.rubrics),
    judgeModel: facts.judgeModel,
  };
  await putJson(store, `${directory.prefix}/rescore-summary.json`, upstreamRescoreSummary(input));
  await putJson(store, `${directory.prefix}/summary.json`, upstreamEvalSummary(input, safeModel(directory.model)));
  await store.put(`${directory.prefix}/per_task.csv`, perTaskCsv(input), { contentType: 'text/csv' });
}

async function writeOurs(store: ObjectStore, facts: SummaryFacts, directories: readonly Directory[]): Promise<void> {
  const below = `_batches/${facts.batch}/`;
  const stored = directories.flatMap((directory) => directory.stored);
  const input: SummaryInput = {
    runs: scored(facts, stored),
    planned: facts.runs,
    rubrics: facts.rubrics,
    passRubric: facts.passRubric ?? 'Strict',
  };
  await putJson(store, `${below}summary.json`, summaryObject(facts, input));
  await store.put(`${below}per_task.csv`, ourPerTask(facts, directories), { contentType: 'text/csv' });
  const rows = directories.map((directory) => leaderboardRow(facts, directory));
  await store.put(`${below}results.csv`, leaderboardCsv(rows), { contentType: 'text/csv' });
  const lines = rows.map((row) => `${JSON.stringify({ ...leaderboardFields(row), partial: row.partial })}\n`);
  await store.put(`${below}results.jsonl`, lines.join(''));
}

/** Bundles as the tables take them, each with the outcome that the operator knows. */
function scored(facts: SummaryFacts, stored: readonly StoredRun[]): ScoredRun[] {
  const outcomes = new Map(facts.runs.map((run) => [run.name, run.outcome]));
  return stored.map((run) => scoredRun(run, facts.passRubric, outcomes.get(runNameOf(run)) ?? null));
}

function summaryObject(facts: SummaryFacts, input: SummaryInput): Record<string, unknown> {
  const overall = scoreRuns(input.runs, input.planned.length, input.rubrics);
  return {
    batch: facts.batch,
    dataset: facts.dataset,
    judgeModel: facts.judgeModel,
    passRubric: facts.passRubric,
    overall: { ...overall, partial: overall.nTotal < overall.nPlanned },
    byModel: table(input, (run) => run.model),
    byHarness: table(input, (run) => run.harness),
    byCategory: table(input, (run) => run.group),
  };
}

/** One row per planned run; what has no bundle still has its row, with the outcome that the operator knows. */
function ourPerTask(facts: SummaryFacts, directories: readonly Directory[]): string {
  const rubrics = upstreamRubrics(facts.rubrics);
  const stored = new Map(directories.flatMap((one) => one.stored).map((run) => [runNameOf(run), run]));
  const columns = [
    'model',
    'harness',
    'repetition',
    'outcome',
    'task_id',
    'test_case',
    'intercepted',
    ...rubrics.flatMap((r) => [`match_${r}`, `reason_${r}`]),
  ];
  const rows = facts.runs.map((planned) => {
    const run = stored.get(planned.name);
    const verdicts = { strict: run?.strict ?? null, lenient: run?.lenient ?? null };
    return {
      model: planned.model,
      harness: planned.harness,
      repetition: planned.repetition,
      outcome: planned.outcome ?? '',
      task_id: run?.meta['task_id'] ?? null,
      test_case: planned.task,
      intercepted: run?.meta['intercepted'] === true,
      ...Object.fromEntries(
        rubrics.flatMap((r) => [
          [`match_${r}`, verdicts[r]?.['match'] ?? null],
          [`reason_${r}`, text(verdicts[r]?.['reason'])],
        ]),
      ),
    };
  });
  return csv(columns, rows);
}

/** The run's name is the end of its directory: `<place>-<repetition>-<run>/a<N>/`. */
function runNameOf(run: StoredRun): string {
  const directory = run.prefix.split('/').at(-3) ?? '';
  return directory.replace(/^\d+-\d+-/, '');
}

function leaderboardRow(facts: SummaryFacts, directory: Directory): LeaderboardRow {
  const planned = facts.runs.filter((run) => run.model === directory.model && run.harness === directory.harness);
  const runs = scored(facts, directory.stored);
  return {
    model: directory.model,
    harness: directory.harness,
    dataset: facts.dataset,
    passed: runs.filter((run) => run.passed).length,
    total: runs.length,
    wallHours: facts.wallHours,
    partial: runs.length < planned.length,
  };
}
