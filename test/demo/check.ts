import { join } from 'node:path';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { portForward } from '../bed/commands.ts';
import type { S3Keys } from '../bed/namespace.ts';
import { step } from '../cluster/progress.ts';
import { demoStore, pullTo, verifyBundles } from './evidence.ts';
import { deviations } from './report.ts';

export interface CheckInput {
  readonly namespace: string;
  readonly keys: S3Keys;
  readonly status: ClawBenchBatchStatus;
  readonly expected: Parameters<typeof deviations>[1];
}

/** Everything that has to be true at a demo's end; one sentence per problem. Leaves the evidence in a local folder. */
export async function checkDemo(input: CheckInput): Promise<readonly string[]> {
  const arrivals = await arrivedWrites(input.namespace);
  const evidence = await step('verifying every bundle', () => checkEvidence(input));
  return [...deviations(input.status, input.expected), ...arrivals, ...evidence];
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

async function checkEvidence(input: CheckInput): Promise<readonly string[]> {
  const forward = await portForward(input.namespace, 'service/s3', 9000);
  try {
    const store = await demoStore(forward.url, input.keys, 'demo');
    const verified = await verifyBundles(store);
    const directory = join(process.cwd(), 'demo-evidence', new Date().toISOString().slice(0, 19).replaceAll(':', ''));
    const files = await pullTo(store, directory);
    console.log(
      `\n${verified.bundles} bundles, ${(verified.bytes / 1e6).toFixed(1)} MB, every manifest read and compared.`,
    );
    console.log(`Evidence: ${directory} (${files} files). To look at a run: npx clawbench view ${directory}`);
    const planned = Object.values(input.expected).reduce((sum, one) => sum + one.runs, 0);
    const count = verified.bundles === planned ? [] : [`there are ${verified.bundles} bundles, expected ${planned}`];
    return [...count, ...verified.problems];
  } finally {
    forward.stop();
  }
}
