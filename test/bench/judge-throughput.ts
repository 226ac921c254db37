import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../e2e-cluster/commands.ts';
import { openJudgeEndpoint, type JudgeEndpoint } from '../e2e-cluster/open-judge-endpoint.ts';
import { upstreamProgram } from '../e2e-cluster/upstream-program.ts';
import { writeBundles } from '../e2e-cluster/write-bundles.ts';

const BUNDLES = 1000;
const WORKERS = 32;
const LATENCY_MS = 100;
const MODEL = 'model-a';

interface Measured {
  readonly calls: number;
  /** From the first call to the last reply, on the endpoint's clock. */
  readonly wallSeconds: number;
  /** `wallSeconds` ÷ (⌈calls ÷ workers⌉ × latency). */
  readonly ratio: number;
  /** User and system time of the program and what it started. */
  readonly cpuSeconds: number;
  readonly mostAtOnce: number;
}

export interface JudgeThroughput {
  readonly name: 'judge-throughput';
  readonly bundles: number;
  readonly workers: number;
  readonly latencyMs: number;
  readonly ours: Measured;
  /** Null when its package cannot be installed here. */
  readonly upstream: Measured | null;
  readonly ratio: number;
  /** Our CPU seconds ÷ upstream's, in this same run. */
  readonly cpuRatio: number | null;
}

/** Our rescore and upstream's over the same bundles, against a judge that replies to each call after 100 ms. */
export async function judgeThroughput(): Promise<JudgeThroughput> {
  const folder = mkdtempSync(join(tmpdir(), 'judge-throughput-'));
  const endpoint = await openJudgeEndpoint(LATENCY_MS);
  try {
    const models = join(folder, 'models.yaml');
    writeFileSync(models, `jm: {base_url: "${endpoint.base}", api_type: openai-completions, api_key: k}\n`);
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    mkdirSync(a);
    const reply = '{"match": true, "reason": "as asked"}';
    writeBundles(
      a,
      Array.from({ length: BUNDLES }, (_, place) => ({ place, model: MODEL, reply })),
      'Ours',
    );
    cpSync(a, b, { recursive: true });
    const ours = await measure(endpoint, oursCommand(a, models, folder));
    const program = await upstreamProgram('clawbench-rescore').catch(() => null);
    const upstream = program === null ? null : await measure(endpoint, upstreamCommand(program, b, models, folder));
    return {
      name: 'judge-throughput',
      bundles: BUNDLES,
      workers: WORKERS,
      latencyMs: LATENCY_MS,
      ours,
      upstream,
      ratio: ours.ratio,
      cpuRatio: upstream === null ? null : round(ours.cpuSeconds / upstream.cpuSeconds),
    };
  } finally {
    endpoint.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function oursCommand(root: string, models: string, folder: string): string[] {
  const main = join(import.meta.dirname, '../../cli/main.ts');
  const where = ['--models', models, '--judge', 'jm', '--out', join(folder, 'ours')];
  return [process.execPath, main, 'rescore', root, ...where, '--rubric', 'lenient', '--workers', String(WORKERS)];
}

function upstreamCommand(program: string, root: string, models: string, folder: string): string[] {
  const where = ['--models-yaml', models, '--judge-model', 'jm', '--eval-results-dir', join(folder, 'theirs')];
  return [program, '--sweep-root', root, ...where, '--rubric', 'lenient', '--workers', String(WORKERS)];
}

/** A shell's `times` prints the resource usage of its children, which Node does not expose. */
const TIMED = '"$@" >&2; code=$?; times; exit $code';

async function measure(endpoint: JudgeEndpoint, command: readonly string[]): Promise<Measured> {
  await endpoint.reset();
  const printed = await run('bash', ['-c', TIMED, 'timed', ...command], { limitMs: 300_000 });
  const { calls, firstCall, lastReply, mostAtOnce } = await endpoint.stats();
  const wallSeconds = (lastReply - firstCall) / 1000;
  const bound = (Math.ceil(calls / WORKERS) * LATENCY_MS) / 1000;
  return {
    calls,
    wallSeconds: round(wallSeconds),
    ratio: round(wallSeconds / bound),
    cpuSeconds: round(childSeconds(printed)),
    mostAtOnce,
  };
}

/** The second line of `times`: `0m1.203s 0m0.310s`. */
function childSeconds(printed: string): number {
  const [, children = ''] = printed.trim().split('\n').slice(-2);
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) throw new Error(`the shell printed no times: ${printed.slice(-200)}`);
  return parts.reduce((sum, part) => sum + 60 * Number(part[1]) + Number(part[2]), 0);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
