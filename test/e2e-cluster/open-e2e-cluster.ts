import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ensureImages } from './ensure-images.ts';
import { chartValues } from '../../images/chart-values.ts';
import { type Deliver } from '../../images/deliver.ts';
import { builtProgram, down, up } from '../cluster/lifecycle.ts';
import { loadArchive } from '../cluster/load-archive.ts';
import { activeMarker } from '../cluster/places.ts';
import { pushImage } from '../cluster/push-image.ts';
import { pushDemoSuite } from '../demo/push-demo-suite.ts';
import { installChart, uninstallChart } from './chart.ts';
import { kubectl } from './commands.ts';
import { ensureDemoImage } from './demo-image.ts';
import { ALL_IMAGES } from '../../images/catalog.ts';
import { applyAndWait, demoManifests, newS3Keys, secretManifest, type S3Keys } from './namespace.ts';

/** Harnesses whose images are made here. */
export const HARNESSES = ['null', 'random-click', 'replay'] as const;

/** Domain of the chart's mail server. */
export const MAIL_DOMAIN = 'mail.e2e.test';

export interface E2eCluster {
  readonly keys: S3Keys;
  /** Of the mail server, which the chart runs in the operator's namespace. */
  readonly mailToken: string;
  /** Removes all of it; ends the cluster only if it was not up before. */
  readonly close: () => Promise<void>;
}

/**
 * The embedded cluster with the chart in one namespace and the demo's servers, suite and references in another. The
 * operator keeps to the latter, so that others may make batches that nobody acts on.
 */
export async function openE2eCluster(namespace: string, operatorNamespace: string): Promise<E2eCluster> {
  const wasUp = existsSync(activeMarker());
  const { kubeconfig } = await up();
  process.env['KUBECONFIG'] = kubeconfig;
  const helm = await builtProgram('helm');
  const deliver: Deliver = (tag, kind) => (kind === 'big' ? loadArchive(tag) : pushImage(tag));
  const target = { helm, namespace: operatorNamespace, ours: true };
  const images = await ensureImages(deliver, ALL_IMAGES);
  const mailToken = randomBytes(16).toString('hex');
  await applyMailSecret(operatorNamespace, mailToken);
  const mail = { enabled: true, domain: MAIL_DOMAIN, secretName: 'mail-admin' };
  await installChart(target, chartValues(images, [...HARNESSES, 'probe'], namespace, { mail }));
  const keys = newS3Keys();
  await applyAndWait(namespace, demoManifests(namespace, await ensureDemoImage(deliver), keys));
  await pushDemoSuite(namespace);
  const close = async (): Promise<void> => {
    await kubectl(['-n', namespace, 'delete', 'clawbenchbatch', '--all', '--timeout=60s'], { limitMs: 90_000 });
    // While a Pod with a long grace period (400 s) ends, the namespace controller looks again only after half of it.
    await kubectl(['-n', namespace, 'delete', 'pods', '--all', '--grace-period=1', '--timeout=90s']);
    await kubectl(['delete', 'namespace', namespace, '--timeout=120s'], { limitMs: 150_000 });
    await uninstallChart(helm, operatorNamespace);
    await kubectl(['delete', 'namespace', operatorNamespace, '--timeout=60s'], { limitMs: 90_000 });
    if (!wasUp) await down();
  };
  return { keys, mailToken, close };
}

async function applyMailSecret(namespace: string, adminToken: string): Promise<void> {
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    secretManifest(namespace, 'mail-admin', { adminToken }),
  ];
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input });
  // It is read at the server's start.
  await kubectl(['-n', namespace, 'delete', 'deployment', 'clawbench-mail', '--ignore-not-found', '--timeout=60s']);
}
