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
import { doneSentence, problemSentences, rescoreTable } from './report-text.ts';
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

/** Adds `rescore`. It also accepts the option names of upstream's command. */
export function addRescoreCommand(program: Command): void {
  const command = program
    .command('rescore')
    .description(
      'Judge finished bundles that have no verdict yet and summarize each batch. Exits with 1 if a verdict is missing.',
    )
    .argument('[location]', 'folder or s3://BUCKET/PREFIX with bundles, in any layout with run-meta.json files')
    .option('--only-batch <dir>', 'treat this folder as one batch, whatever its name')
    .option('--rubric <list>', 'rubrics, comma-separated: lenient, strict, both, answer, agentic', readRubrics, [
      'Lenient',
    ])
    .option('--models <file>', 'models.yaml with the judge and its API key', 'models/models.yaml')
    .option('--judge <name>', 'name of the judge in that file', 'deepseek-v4-pro')
    .option('--workers <n>', 'maximum number of concurrent calls', wholeNumber(1, 256), 4)
    .option('--out <dir>', 'folder for <batch>/{per_task.csv,summary.json,scores.json}', 'eval_results')
    .option('--no-eval-results', 'do not write these tables')
    .option('--force', 'judge runs again that have a verdict', false)
    .option('--limit <n>', 'maximum number of runs to judge; 0 for all', wholeNumber(0, 1_000_000_000), 0)
    .option('--tasks <path>', 'suite of the runs, which provides the judge_context for strict and answer')
    .option('--reference <location>', 'folder or s3://BUCKET/PREFIX with the human reference runs for agentic')
    .option('--s3-endpoint <url>', 'URL of an S3-compatible object store; defaults to AWS_ENDPOINT_URL')
    .option('--s3-region <name>', 'region of the bucket; defaults to AWS_REGION');
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

/** Hidden aliases, so that users of upstream's command line do not have to learn new option names. */
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
  if (target === undefined)
    throw new CliFailure(EXIT.usage, 'no bundles given; use clawbench rescore DIR or --only-batch DIR');
  const location = await openBundleLocation(target, options);
  const model = await readJudge(options.models, options.judge);
  const taskOf = await tasksOf(options);
  const report = await rescore(location, {
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
  if (report.batches.length === 0) throw new CliFailure(EXIT.failed, `no run-meta.json found in ${target}`);
  console.log(formatted(report, output, () => rescoreTable(report, options.rubric)));
  console.error(`clawbench: ${doneSentence(report, target, options.evalResults ? options.out : null)}`);
  for (const sentence of problemSentences(report)) console.error(`clawbench: ${sentence}`);
  if (report.missing.length > 0 || report.problems.length > 0) process.exitCode = EXIT.failed;
}

/** Without a suite, runs are judged by the instruction in their bundle, without a judge_context. */
async function tasksOf({ tasks, rubric }: Options): Promise<(name: string) => JudgedTask | null> {
  if (tasks !== undefined) return (await import('./read-tasks.ts')).readTasks(tasks);
  if (!rubric.includes('Answer')) return () => null;
  const why = 'the correct answers are in the tasks, not in the bundles';
  throw new CliFailure(EXIT.usage, `the answer rubric requires --tasks, since ${why}`);
}

/** Without a reference, the evaluator judges by the instruction and says so. */
async function referencesOf(options: Options): Promise<References | null> {
  if (options.reference === undefined || !options.rubric.includes('Agentic')) return null;
  const { store } = await openBundleLocation(options.reference, options);
  return (await import('../../judging/agentic/find-reference.ts')).findReferences(store, '');
}

/** Strict, the default of batches, if it is among the rubrics; otherwise the last of them. */
function passRubricOf(asked: readonly Rubric[]): Rubric {
  return asked.includes('Strict') ? 'Strict' : (asked.at(-1) ?? 'Lenient');
}
