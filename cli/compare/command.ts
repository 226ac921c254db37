import { InvalidArgumentError, type Command } from 'commander';
import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { countOf } from '../../benchmark/text/count-of.ts';
import { comparePaired, type PairedComparison } from '../../benchmark/aggregate/paired.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { formatted, outputOf } from '../output.ts';
import { openBundleLocation, withStoreExitCode, type S3UrlOptions } from '../rescore/open-bundle-location.ts';
import { readScoredRuns } from '../rescore/read-scored.ts';

interface Options extends S3UrlOptions {
  readonly by: Metric;
  readonly modelA?: string;
  readonly modelB?: string;
  readonly harnessA?: string;
  readonly harnessB?: string;
}

const METRICS = ['intercepted', 'lenient', 'strict', 'answer', 'agentic'] as const;
type Metric = (typeof METRICS)[number];

/** Adds `compare`. */
export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .description('Compare two batches, models or harnesses on the tasks they share (paired, exact McNemar test).')
    .argument('<a>', 'folder or s3://BUCKET/PREFIX with bundles')
    .argument('<b>', 'the other side; use the same location and --model-a, --model-b to compare models of one batch')
    .option('--by <metric>', `metric to compare by: ${METRICS.join(', ')}`, metric, 'lenient')
    .option('--model-a <name>', 'only runs of this model on side A')
    .option('--model-b <name>', 'only runs of this model on side B')
    .option('--harness-a <name>', 'only runs of this harness on side A')
    .option('--harness-b <name>', 'only runs of this harness on side B')
    .option('--s3-endpoint <url>', 'URL of an S3-compatible object store; defaults to AWS_ENDPOINT_URL')
    .option('--s3-region <name>', 'region of the bucket; defaults to AWS_REGION')
    .action(async (a: string, b: string, options: Options) => {
      const left = await side(a, options, { model: options.modelA, harness: options.harnessA, end: 'a' });
      const right = await side(b, options, { model: options.modelB, harness: options.harnessB, end: 'b' });
      const result = {
        ...comparePaired(left.runs, right.runs, successBy(options.by)),
        unreadableA: left.unreadable,
        unreadableB: right.unreadable,
      };
      const shown = { by: options.by, ...result };
      console.log(formatted(shown, outputOf(program), () => sentences(options.by, result)));
      if (result.pairs === 0)
        throw new CliFailure(EXIT.failed, 'the two sides share no task that has a result and a verdict on both');
    });
}

function metric(text: string): Metric {
  const found = METRICS.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`Use one of ${METRICS.join(', ')}.`);
  return found;
}

function rubricOf(by: Metric): Rubric | null {
  return by === 'intercepted' ? null : ((by.charAt(0).toUpperCase() + by.slice(1)) as Rubric);
}

/** Null if the verdict is missing. The agentic rubric also judges runs without an interception. */
function successBy(by: Metric): (run: ScoredRun) => boolean | null {
  const rubric = rubricOf(by);
  if (rubric === null) return (run) => run.intercepted;
  return (run) => (run.intercepted || rubric === 'Agentic' ? (run.verdicts[rubric]?.match ?? null) : false);
}

interface Filter {
  readonly model: string | undefined;
  readonly harness: string | undefined;
  readonly end: 'a' | 'b';
}

interface Side {
  readonly runs: readonly ScoredRun[];
  /** Number of run-meta.json files that cannot be read, of any model. */
  readonly unreadable: number;
}

/** The runs of one side. Runs of several models or harnesses would be paired at random, so one must be specified. */
async function side(text: string, options: Options, { model, harness, end }: Filter): Promise<Side> {
  const rubric = rubricOf(options.by);
  const location = await openBundleLocation(text, options);
  const { runs, unreadable } = await withStoreExitCode(() => readScoredRuns(location, rubric === null ? [] : [rubric]));
  const chosen = runs.filter(
    (run) => (model === undefined || run.model === model) && (harness === undefined || run.harness === harness),
  );
  if (chosen.length === 0) throw new CliFailure(EXIT.failed, `no matching run found in ${text}`);
  for (const kind of ['model', 'harness'] as const) {
    const names = [...new Set(chosen.map((run) => run[kind]))];
    if (names.length > 1) {
      throw new CliFailure(
        EXIT.usage,
        `${text} contains runs of ${names.slice(0, 5).join(', ')}; use --${kind}-${end} to specify one`,
      );
    }
  }
  return { runs: chosen, unreadable };
}

interface Result extends PairedComparison {
  readonly unreadableA: number;
  readonly unreadableB: number;
}

function sentences(by: Metric, result: Result): string {
  const { pairs, both, onlyA, onlyB, neither, difference, pValue } = result;
  const points = difference === null ? '–' : `${(100 * difference).toFixed(1)} points`;
  return [
    `${by}, ${countOf(pairs, 'pair')}: both ${String(both)}, only A ${String(onlyA)}, only B ${String(onlyB)}, neither ${String(neither)}`,
    `A - B: ${points}; p = ${pValue === null ? '–' : pValue.toPrecision(3)} (McNemar, exact, two-sided)`,
    `excluded: ${String(result.unpairedA)} of A and ${String(result.unpairedB)} of B without a counterpart, ${countOf(result.notEligible, 'pair')} without a result of the agent`,
    `excluded: ${countOf(result.unjudged, 'pair')} without a verdict on both sides; run clawbench rescore to judge them`,
    `excluded: ${countOf(result.unreadableA, 'unreadable run')} of A and ${String(result.unreadableB)} of B`,
  ].join('\n');
}
