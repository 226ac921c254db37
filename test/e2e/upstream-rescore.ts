import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../e2e-cluster/commands.ts';
import { upstreamProgram } from '../e2e-cluster/upstream-program.ts';

export interface UpstreamCounts {
  readonly n_total: number;
  readonly n_intercepted: number;
  readonly n_match_strict: number;
}

/**
 * Runs upstream's rescoring over a folder of bundles and reads its roll-up of each batch directory. Verdicts that exist
 * are reused, so it calls no model: its models file names an endpoint that does not exist.
 */
export async function upstreamRescore(folder: string): Promise<Readonly<Record<string, UpstreamCounts>>> {
  const models = join(tmpdir(), `clawbench-upstream-models-${process.pid}.yaml`);
  writeFileSync(
    models,
    'demo-rules: {base_url: "http://127.0.0.1:9/v1", api_type: openai-completions, api_key: none}\n',
  );
  const program = await upstreamProgram('clawbench-rescore');
  const args = [
    '--sweep-root',
    folder,
    '--models-yaml',
    models,
    '--judge-model',
    'demo-rules',
    '--rubric',
    'strict',
    '--no-eval-results',
  ];
  await run(program, args, { limitMs: 120_000 });
  return Object.fromEntries(
    batchDirectories(folder).map((directory) => [directory.split('/').at(-1) ?? '', countsOf(directory)]),
  );
}

function batchDirectories(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/rescore-summary.json'))
    .map((path) => join(folder, path, '..'));
}

function countsOf(directory: string): UpstreamCounts {
  const { n_total, n_intercepted, n_match_strict } = JSON.parse(
    readFileSync(join(directory, 'rescore-summary.json'), 'utf8'),
  ) as UpstreamCounts;
  return { n_total, n_intercepted, n_match_strict };
}
