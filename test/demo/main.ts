import { join } from 'node:path';
import { ensureImages } from '../e2e-cluster/ensure-images.ts';
import { chartValues } from '../../images/chart-values.ts';
import { clawEvalExpectation, DEMO_EXPECTATION } from '../../test-cases/demo/expectation.ts';
import { installChart, uninstallChart } from '../e2e-cluster/chart.ts';
import { kubectl } from '../e2e-cluster/commands.ts';
import { ensureDemoImage } from '../e2e-cluster/demo-image.ts';
import { HARNESSES } from '../e2e-cluster/open-e2e-cluster.ts';
import { applyAndWait, DEMO_LABEL, demoManifests, newS3Keys, type S3Keys } from '../e2e-cluster/namespace.ts';
import { refuseBesideOthers } from '../e2e-cluster/other-install.ts';
import { removeOwnCrds } from '../e2e-cluster/own-crds.ts';
import { readArguments, runScript, UsageError } from '../cluster/command-line.ts';
import { step } from '../cluster/progress.ts';
import { claimCluster, type DemoCluster } from './demo-cluster.ts';
import { onInterrupt } from './interrupt.ts';
import { interruptedText, leftRunningText } from './removal-hints.ts';
import { importClawEval } from './claw-eval.ts';
import { checkDemo, type EndedBatch } from './check.ts';
import { CHECKED_KINDS, foreignObjects, type Listed } from './foreign-objects.ts';
import { pushDemoSuite } from './push-demo-suite.ts';
import { reportTable } from './report.ts';
import { followBatch } from './follow-batch.ts';

/**
 * `npm run demo [-- --context NAME] [--keep]`: a real Kubernetes runs the demo batch from `kubectl apply` to a scored
 * summary, beside it real tasks of claw-eval where upstream's package can be had. Exit code 0 only when every
 * number is what it has to be.
 */

const NAMESPACE = 'clawbench-demo';
/** Not the namespace that docs/install.md uses: the demo must never upgrade or remove an operator of the user's. */
const SYSTEM = 'clawbench-demo-system';

const TITLES: Readonly<Record<string, string>> = {
  demo: 'Demo: eight tasks of our own',
  'claw-eval': "claw-eval: tasks imported from upstream's package, judged by the answer rubric",
};

const BATCH_LIMIT_MS = 15 * 60_000;

const HELP = `npm run demo [-- OPTIONS]
  --context NAME   use this context of the kubeconfig instead of a cluster of the demo's own
  --registry PATH  push the images to this registry (HOST[:PORT]/PATH), from which that cluster's nodes pull them
  --keep           leave everything running at the end (kubectl can inspect it)
  --fresh          delete the namespace clawbench-demo even if it contains objects that no demo created
  --claw-eval N    run N tasks of upstream's package as well, or all of them (default 4)
  --no-claw-eval   run none of them`;

interface Options {
  readonly context: string | undefined;
  readonly registry: string | undefined;
  readonly keep: boolean;
  readonly fresh: boolean;
  /** Imported tasks at most. */
  readonly clawEval: number;
}

function readOptions(): Options {
  const { values } = readArguments(HELP, {
    options: {
      context: { type: 'string' },
      registry: { type: 'string' },
      keep: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      'claw-eval': { type: 'string', default: '4' },
      'no-claw-eval': { type: 'boolean', default: false },
    },
  });
  const clawEval = values['no-claw-eval'] ? 0 : howMany(values['claw-eval']);
  const { context, registry, keep, fresh } = values;
  return { context, registry, keep, fresh, clawEval };
}

function howMany(text: string): number {
  if (text === 'all') return Number.MAX_SAFE_INTEGER;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new UsageError(`--claw-eval ${text}: use a number of tasks, or all`);
}

/** A namespace that `--keep` left may hold a user's own batches by now. @throws Error that names them */
async function refuseToDeleteOthers(): Promise<void> {
  const list = async (kinds: string): Promise<readonly Listed[]> =>
    (JSON.parse(await kubectl(['-n', NAMESPACE, 'get', kinds, '-o', 'json'])) as { items: Listed[] }).items;
  const kinds = CHECKED_KINDS.split(',');
  // Before the chart is installed there are no kinds of ours, which is an error of kubectl; another one where it has the
  // kinds of an earlier cluster in its cache.
  const orNone = (error: Error): readonly Listed[] => {
    if (/doesn't have a resource type|could not find the requested resource/.test(error.message)) return [];
    throw error;
  };
  const listed = await Promise.all(kinds.map((kind) => list(kind).catch(orNone)));
  const others = foreignObjects(listed.flat());
  if (others.length === 0) return;
  throw new Error(
    `namespace ${NAMESPACE} contains objects that no demo created: ${others.slice(0, 10).join(', ')}${others.length > 10 ? ', …' : ''}. ` +
      'The demo deletes that namespace first; move them to another namespace, or add --fresh.',
  );
}

/** What `--keep` or a killed demo left: its S3 has other keys, and its batches other results. Only what we labelled. */
async function removeEarlier(): Promise<void> {
  const ours = `${DEMO_LABEL},kubernetes.io/metadata.name=${NAMESPACE}`;
  await kubectl(['delete', 'namespace', '-l', ours, '--timeout=120s'], { limitMs: 150_000 });
}

async function setUp(cluster: DemoCluster): Promise<S3Keys> {
  const images = await step('images', () => ensureImages(cluster.deliver));
  const demo = await step('image of the demo servers', () => ensureDemoImage(cluster.deliver));
  await step('operator', () =>
    installChart(
      { helm: cluster.helm, namespace: SYSTEM, ours: cluster.ours },
      chartValues(images, HARNESSES, NAMESPACE),
    ),
  );
  const keys = newS3Keys();
  await step('what an earlier demo left', removeEarlier);
  await step('S3, sites and judge', () => applyAndWait(NAMESPACE, demoManifests(NAMESPACE, demo, keys)));
  await step('suite and references', () => pushDemoSuite(NAMESPACE));
  return keys;
}

/** Every step is tried, so that one that fails leaves no cluster behind. @throws the first failure */
async function tearDown(cluster: DemoCluster): Promise<void> {
  const steps = [
    () =>
      kubectl(['-n', NAMESPACE, 'delete', 'clawbenchbatch', '--all', '--wait', '--timeout=60s'], { limitMs: 90_000 }),
    () => kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout=90s'], { limitMs: 120_000 }),
    () => uninstallChart(cluster.helm, SYSTEM),
    () => kubectl(['delete', 'namespace', SYSTEM, '--ignore-not-found', '--timeout=60s'], { limitMs: 90_000 }),
    () => removeOwnCrds(SYSTEM),
    () => cluster.release(),
  ];
  const failures: unknown[] = [];
  for (const one of steps) await one().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function demo(options: Options): Promise<boolean> {
  const started = Date.now();
  let claimed: DemoCluster | null = null;
  onInterrupt(() => interruptedText(claimed, NAMESPACE));
  const cluster = await step('cluster', () => claimCluster(options));
  claimed = cluster;
  console.error(`  ${cluster.describe}`);
  await refuseBesideOthers(SYSTEM);
  if (!options.fresh) await refuseToDeleteOthers();
  let good = false;
  try {
    const keys = await setUp(cluster);
    await kubectl(['apply', '-f', join(import.meta.dirname, '../../test-cases/demo/batch.yaml')]);
    const imported = options.clawEval > 0 ? await importClawEval(NAMESPACE, options.clawEval) : null;
    const status = await followBatch(NAMESPACE, 'demo', BATCH_LIMIT_MS);
    const batches: EndedBatch[] = [{ name: 'demo', status, expected: DEMO_EXPECTATION }];
    if (imported !== null) {
      const extra = await followBatch(NAMESPACE, imported.name, BATCH_LIMIT_MS);
      batches.push({ name: imported.name, status: extra, expected: clawEvalExpectation(imported.tasks) });
    }
    for (const one of batches) console.log(`\n${TITLES[one.name] ?? one.name}\n${reportTable(one.status)}`);
    const problems = await checkDemo({ namespace: NAMESPACE, keys, batches });
    for (const problem of problems) console.log(`PROBLEM: ${problem}`);
    good = problems.length === 0;
    console.log(`\n${good ? 'As expected' : 'NOT as expected'}, in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
    return good;
  } finally {
    if (options.keep) console.log(`\n${leftRunningText(cluster, NAMESPACE)}`);
    else await step('removing everything that was made', () => tearDown(cluster));
  }
}

await runScript(async () => ((await demo(readOptions())) ? 0 : 1));
