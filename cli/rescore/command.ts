import type { Command } from 'commander';
import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import type { References } from '../../judging/agentic/find-reference.ts';
import type { JudgedTask } from '../../judging/run/judge-run.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { formatted, outputOf, type OutputFormat } from '../output.ts';
import { wholeNumber } from '../number-option.ts';
import { openBundleLocation, withStoreExitCode } from './open-bundle-location.ts';
import { readJudge } from './read-judge.ts';
import { readRubrics } from './rubric-option.ts';
import { doneSentence, problemSentences, reportTable } from './report-text.ts';
import { rescore } from './rescore.ts';

interface Options {
  readonly rubric: readonly Rubric[];
  readonly models: string;
  readonly judge: string;
  readonly workers: number;
  readonly out: string;
  readonly evalResults: boolean;
  readonly onlyBatch?: string;
  readonly force: boolean;
  readonly limit: number;
  readonly tasks?: string;
  readonly reference?: string;
  readonly s3Endpoint?: string;
  readonly s3Region?: string;
}

/** Adds `rescore`. Upstream's spellings of its options are understood. */
export function addRescoreCommand(program: Command): void {
  const command = program
    .command('rescore')
    .description(
      'judge finished bundles that have no verdict yet, and roll every batch up; exit 1 while one is missing',
    )
    .argument('[place]', 'folder or s3://BUCKET/PREFIX with bundles, in any layout that has run-meta.json files')
    .option('--only-batch <dir>', 'take this folder for one batch, whatever it is called')
    .option('--rubric <list>', 'lenient, strict, both, answer or agentic, comma-separated', readRubrics, ['Lenient'])
    .option('--models <file>', 'models.yaml with the judge and its key', 'models/models.yaml')
    .option('--judge <name>', 'the judge: a name in that file', 'deepseek-v4-pro')
    .option('--workers <n>', 'calls at a time', wholeNumber(1, 256), 4)
    .option('--out <dir>', 'where tables go: <dir>/<batch>/{per_task.csv,summary.json,scores.json}', 'eval_results')
    .option('--no-eval-results', 'write no tables')
    .option('--force', 'ask again what has a verdict', false)
    .option('--limit <n>', 'judge at most this many runs (0: all)', wholeNumber(0, 1_000_000_000), 0)
    .option('--tasks <path>', 'suite of the runs: gives strict and answer the hidden judge_context')
    .option('--reference <place>', 'human sessions that the agentic rubric judges beside: folder or s3://…')
    .option('--s3-endpoint <url>', 'address of an S3 that is not AWS (or AWS_ENDPOINT_URL)')
    .option('--s3-region <name>', 'its region (or AWS_REGION)');
  upstreamSpellings(command);
  command.action(async (text: string | undefined, options: Options) => {
    await withStoreExitCode(() => run(text, options, outputOf(program)));
  });
}

const SPELLINGS = {
  '--judge-model <name>': 'judge',
  '--models-yaml <file>': 'models',
  '--eval-results-dir <dir>': 'out',
} as const;

/** Hidden from the help: who comes from upstream's command line does not have to learn ours. */
function upstreamSpellings(command: Command): void {
  for (const [flag, name] of Object.entries(SPELLINGS)) {
    command.addOption(
      command
        .createOption(flag)
        .hideHelp()
        .argParser((value: string) => {
          command.setOptionValueWithSource(name, value, 'cli');
          return value;
        }),
    );
  }
}

async function run(text: string | undefined, options: Options, output: OutputFormat): Promise<void> {
  const target = options.onlyBatch ?? text;
  if (target === undefined) throw new CliFailure(EXIT.usage, 'say where the bundles are: clawbench rescore DIR');
  const place = await openBundleLocation(target, options);
  const model = await readJudge(options.models, options.judge);
  const taskOf = await tasksOf(options);
  const report = await rescore(place, {
    rubrics: options.rubric,
    passRubric: passRubricOf(options.rubric),
    model,
    workers: options.workers,
    force: options.force,
    limit: options.limit,
    out: options.evalResults ? options.out : null,
    single: options.onlyBatch !== undefined,
    taskOf,
    references: await referencesOf(options),
  });
  if (report.batches.length === 0) throw new CliFailure(EXIT.failed, `there is no run-meta.json below ${target}`);
  console.log(formatted(report, output, () => reportTable(report, options.rubric)));
  console.error(`clawbench: ${doneSentence(report, target, options.evalResults ? options.out : null)}`);
  for (const sentence of problemSentences(report)) console.error(`clawbench: ${sentence}`);
  if (report.missing.length > 0 || report.problems.length > 0) process.exitCode = EXIT.failed;
}

/** Without a suite, the bundle's own instruction is judged by, and nothing hidden is known. */
async function tasksOf({ tasks, rubric }: Options): Promise<(name: string) => JudgedTask | null> {
  if (tasks !== undefined) return (await import('./read-tasks.ts')).readTasks(tasks);
  if (!rubric.includes('Answer')) return () => null;
  const why = 'what is correct stands in the tasks, not in bundles';
  throw new CliFailure(EXIT.usage, `the answer rubric needs --tasks: ${why}`);
}

/** Without a reference the evaluator says so and judges by the instruction. */
async function referencesOf(options: Options): Promise<References | null> {
  if (options.reference === undefined || !options.rubric.includes('Agentic')) return null;
  const { store } = await openBundleLocation(options.reference, options);
  return (await import('../../judging/agentic/find-reference.ts')).findReferences(store, '');
}

/** The batch's default where it was asked, else the last that was. */
function passRubricOf(asked: readonly Rubric[]): Rubric {
  return asked.includes('Strict') ? 'Strict' : (asked.at(-1) ?? 'Lenient');
}
