import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { chartValues, installChart, uninstallChart } from '../bed/chart.ts';
import { kubectl } from '../bed/commands.ts';
import { ensureDemoImage } from '../bed/demo-image.ts';
import { ensureImages } from '../bed/images.ts';
import { applyBed, bedManifests, newS3Keys, type S3Keys } from '../bed/namespace.ts';
import { builtProgram, down, up } from '../cluster/lifecycle.ts';
import { loadArchive } from '../cluster/load-archive.ts';
import { activeMarker } from '../cluster/places.ts';
import { pushImage } from '../cluster/push-image.ts';
import { pushDemoSuite } from '../demo/suite.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Namespace of the bed; the operator keeps to it, so that other suites can make batches that nobody acts on. */
    bed: string;
    operatorNamespace: string;
    s3Keys: S3Keys;
  }
}

const BED = 'clawbench-e2e';
const OPERATOR = 'clawbench-e2e-system';

/**
 * One cluster, one chart and one bed for all suites of this project. A cluster that was up before stays up.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const before = existsSync(activeMarker());
  const { kubeconfig } = await up();
  process.env['KUBECONFIG'] = kubeconfig;
  const helm = await builtProgram('helm');
  const deliver = (tag: string, kind: 'big' | 'changing'): Promise<string> =>
    kind === 'big' ? loadArchive(tag) : pushImage(tag);
  const images = await ensureImages(deliver);
  const demo = await ensureDemoImage(deliver);
  await installChart(helm, OPERATOR, chartValues(images, ['null', 'random-click', 'replay'], BED));
  const keys = newS3Keys();
  await applyBed(BED, bedManifests(BED, demo, keys));
  await pushDemoSuite(BED);
  project.provide('bed', BED);
  project.provide('operatorNamespace', OPERATOR);
  project.provide('s3Keys', keys);
  return async () => {
    await kubectl(['-n', BED, 'delete', 'clawbenchbatch', '--all', '--timeout=60s'], { limitMs: 90_000 });
    await kubectl(['delete', 'namespace', BED, '--timeout=90s'], { limitMs: 120_000 });
    await uninstallChart(helm, OPERATOR);
    await kubectl(['delete', 'namespace', OPERATOR, '--timeout=60s'], { limitMs: 90_000 });
    if (!before) await down();
  };
}
