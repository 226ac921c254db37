import { join } from 'node:path';
import { countOf } from '../../benchmark/text/count-of.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { ExpectedBatch } from '../../test-cases/demo/expectation.ts';
import { portForward } from '../e2e-cluster/commands.ts';
import type { S3Keys } from '../e2e-cluster/namespace.ts';
import { step } from '../cluster/progress.ts';
import { demoStore, pullTo, verifyBundles } from './evidence.ts';
import { deviations } from './report.ts';

/** A batch that ended; its evidence lies below the store's prefix of the same name. */
export interface EndedBatch {
  readonly name: string;
  readonly status: ClawBenchBatchStatus;
  readonly expected: ExpectedBatch;
}

export interface CheckInput {
  readonly namespace: string;
  readonly keys: S3Keys;
  readonly batches: readonly EndedBatch[];
}

/** Everything that has to be true at a demo's end; one sentence per problem. Leaves the evidence in a local folder. */
export async function checkDemo(input: CheckInput): Promise<readonly string[]> {
  const arrivals = await arrivedWrites(input.namespace);
  const evidence = await step('verifying every bundle', () => checkEvidence(input));
  const scores = input.batches.flatMap(({ name, status, expected }) =>
    deviations(status, expected).map((one) => `${name}: ${one}`),
  );
  return [...scores, ...arrivals, ...evidence];
}

/** Every write that reached a demo site is a terminal request that got out. */
async function arrivedWrites(namespace: string): Promise<readonly string[]> {
  const forward = await portForward(namespace, 'service/demo-sites', 8080);
  try {
    const reply = await fetch(`${forward.url}/arrivals`);
    const arrivals = (await reply.json()) as { host: string; path: string }[];
    return arrivals.map((one) => `a terminal request reached ${one.host}${one.path}`);
  } finally {
    forward.stop();
  }
}

async function checkEvidence({ namespace, keys, batches }: CheckInput): Promise<readonly string[]> {
  const directory = join(process.cwd(), 'demo-evidence', new Date().toISOString().slice(0, 19).replaceAll(':', ''));
  const forward = await portForward(namespace, 'service/s3', 9000);
  try {
    const problems: string[] = [];
    for (const { name, expected } of batches) {
      const store = await demoStore(forward.url, keys, name);
      const verified = await verifyBundles(store);
      const files = await pullTo(store, join(directory, name));
      const planned = Object.values(expected.harnesses).reduce((sum, one) => sum + one.runs, 0);
      const size = (verified.bytes / 1e6).toFixed(1);
      console.log(
        `\n${name}: ${countOf(verified.bundles, 'bundle')}, ${countOf(files, 'file')}, ${size} MB, every manifest read and compared.`,
      );
      if (verified.bundles !== planned)
        problems.push(`${name}: ${countOf(verified.bundles, 'bundle')}, expected ${planned}`);
      problems.push(...verified.problems);
    }
    console.log(`Evidence: ${directory}. To look at a run: npx clawbench view ${directory}`);
    return problems;
  } finally {
    forward.stop();
  }
}
