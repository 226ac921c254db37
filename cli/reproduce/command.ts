import type { Command } from 'commander';
import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { countOf, isOrAre } from '../../benchmark/text/count-of.ts';
import { ratio } from '../../benchmark/aggregate/interval.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';
import { PUBLISHED, isPublishedModel } from '../../benchmark/reproduce/published-rows.ts';
import { compareRows, type Comparison, type ReproducedRow } from '../../benchmark/reproduce/compare-rows.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { formatted, outputOf } from '../output.ts';
import { decimalNumber, wholeNumber } from '../number-option.ts';
import {
  openBundleLocation,
  withStoreExitCode,
  type BundleLocation,
  type S3UrlOptions,
} from '../rescore/open-bundle-location.ts';
import { readJudge } from '../rescore/read-judge.ts';
import { readScoredRuns } from '../rescore/read-scored.ts';
import { readRubrics } from '../rescore/rubric-option.ts';
import { fetchTraces } from './fetch-traces.ts';

interface Options extends S3UrlOptions {
  readonly model: string;
  readonly dir: string;
  readonly runModel?: string;
  readonly harness?: string;
  readonly fetch: boolean;
  readonly rubric: readonly Rubric[];
  readonly tolerance: number;
  readonly judge?: string;
  readonly models: string;
  readonly workers: number;
}

/** Adds `reproduce`. */
export function addReproduceCommand(program: Command): void {
  program
    .command('reproduce')
    .description('Compare bundles with the published row of a model. Exits with 1 if a rate is outside the tolerance.')
    .requiredOption('--model <name>', `model of the published row, one of ${Object.keys(PUBLISHED).join(', ')}`)
    .requiredOption(
      '--dir <location>',
      'folder or s3://BUCKET/PREFIX with the bundles; with --fetch, the download folder',
    )
    .option('--fetch', 'download the published bundles first, with the hf command', false)
    .option('--run-model <name>', 'name of the model in the bundles, if it is a different one')
    .option('--harness <name>', 'only runs with this harness')
    .option('--rubric <list>', 'lenient, strict or both', readRubrics, readRubrics('both'))
    .option('--tolerance <points>', 'tolerance in percentage points', decimalNumber(0, 100), 2)
    .option('--judge <name>', 'model that judges runs without a verdict')
    .option('--models <file>', 'models.yaml with that judge', 'models/models.yaml')
    .option('--workers <n>', 'maximum number of concurrent judge calls', wholeNumber(1, 256), 4)
    .option('--s3-endpoint <url>', 'URL of an S3-compatible object store; defaults to AWS_ENDPOINT_URL')
    .option('--s3-region <name>', 'region of the bucket; defaults to AWS_REGION')
    .action(async (options: Options) => {
      const result = await withStoreExitCode(() => reproduce(options));
      console.log(formatted(result, outputOf(program), () => lines(result).join('\n')));
      if (!result.rows.every((row) => row.within)) process.exitCode = EXIT.failed;
    });
}

interface Result {
  readonly model: string;
  readonly runs: number;
  readonly publishedRuns: number;
  readonly tolerance: number;
  readonly rows: readonly Comparison[];
}

async function reproduce(options: Options): Promise<Result> {
  const published = PUBLISHED[options.model];
  if (published === undefined) {
    const known = Object.keys(PUBLISHED).join(', ');
    throw new CliFailure(EXIT.usage, `no row is published for ${options.model}; use one of ${known}`);
  }
  const dir = options.fetch ? await fetchTraces(options.model, options.dir) : options.dir;
  const location = await openBundleLocation(dir, options);
  if (options.judge !== undefined) await judgeMissing(location, options, options.judge);
  const all = await readScoredRuns(location, options.rubric);
  if (all.runs.length === 0) throw new CliFailure(EXIT.failed, `no readable run-meta.json found in ${dir}`);
  const runs = chooseRuns(all.runs, { ...options, dir });
  // Unreadable runs count only if all readable ones are of one model and harness, since their own are unknown.
  const total = runs.length === all.runs.length ? runs.length + all.unreadable : runs.length;
  const observed = observedRow(runs, options.rubric, total);
  return {
    model: options.model,
    runs: total,
    publishedRuns: published.runs,
    tolerance: options.tolerance,
    rows: compareRows(observed, published, options.tolerance),
  };
}

/**
 * The runs of the row's model with one harness. Runs that `--fetch` downloads belong to the row, whatever model they name.
 * @throws CliFailure when there are none, or when there are several harnesses and none was specified
 */
function chooseRuns(all: readonly ScoredRun[], { model, runModel, harness, fetch, dir }: Options): ScoredRun[] {
  const isModel = (run: ScoredRun): boolean =>
    runModel === undefined ? fetch || isPublishedModel(model, run.model) : run.model === runModel;
  const ofModel = all.filter(isModel);
  if (ofModel.length === 0) {
    const what = `${dir} contains runs of ${namesOf(all, 'model')}, but none of ${runModel ?? model}`;
    throw new CliFailure(EXIT.usage, `${what}; use --run-model to specify the model`);
  }
  const chosen = ofModel.filter((run) => harness === undefined || run.harness === harness);
  if (chosen.length === 0)
    throw new CliFailure(
      EXIT.usage,
      `${dir} contains runs with ${namesOf(ofModel, 'harness')}, but none with ${harness ?? ''}`,
    );
  if (!fetch && new Set(chosen.map((run) => run.harness)).size > 1)
    throw new CliFailure(
      EXIT.usage,
      `${dir} contains runs with ${namesOf(chosen, 'harness')}; use --harness to specify one`,
    );
  return chosen;
}

function namesOf(runs: readonly ScoredRun[], kind: 'model' | 'harness'): string {
  const names = [...new Set(runs.map((run) => run[kind] || 'no name'))].toSorted();
  const more = names.length > 5 ? ` and ${String(names.length - 5)} more` : '';
  return names.slice(0, 5).join(', ') + more;
}

async function judgeMissing(location: BundleLocation, options: Options, judge: string): Promise<void> {
  const { rescore } = await import('../rescore/rescore.ts');
  const report = await rescore(location, {
    rubrics: options.rubric,
    passRubric: options.rubric.at(-1) ?? 'Lenient',
    model: await readJudge(options.models, judge),
    workers: options.workers,
    force: false,
    limit: 0,
    out: null,
    single: false,
    references: null,
    taskOf: () => null,
  });
  for (const problem of report.problems.slice(0, 5)) console.error(`clawbench: ${problem}`);
}

/** Percentages with one decimal, as in the published rows. @throws CliFailure when verdicts are missing */
function observedRow(runs: readonly ScoredRun[], rubrics: readonly Rubric[], total: number): ReproducedRow {
  const percent = (count: number): number => Math.round(1000 * (ratio(count, total) ?? 0)) / 10;
  const intercepted = runs.filter((run) => run.intercepted);
  const rate = (rubric: Rubric): number | null => {
    if (!rubrics.includes(rubric)) return null;
    const matches = intercepted.map((run) => run.verdicts[rubric]?.match ?? null);
    const missing = matches.filter((match) => match === null).length;
    if (missing > 0) {
      const what = `${countOf(missing, `${rubric.toLowerCase()} verdict`)} ${isOrAre(missing)} missing`;
      throw new CliFailure(EXIT.failed, `${what}; use --judge, or run clawbench rescore first`);
    }
    return percent(matches.filter((match) => match === true).length);
  };
  return { intercepted: percent(intercepted.length), lenient: rate('Lenient'), strict: rate('Strict') };
}

function lines({ model, runs, publishedRuns, tolerance, rows }: Result): string[] {
  return [
    `${model}: ${countOf(runs, 'run')}, published over ${String(publishedRuns)}; tolerance ${String(tolerance)} points`,
    ...rows.map(
      (row) =>
        `${row.within ? 'ok  ' : 'FAR '} ${row.metric.padEnd(12)} ${row.observed.toFixed(1)} % (published ${row.published.toFixed(1)} %)`,
    ),
  ];
}
