import { run } from './commands.ts';
import type { ImageReferences } from './images.ts';
import { refuseBesideOthers, RELEASE } from './other-install.ts';

/** `repository:tag` as the chart's values have it. A registry may carry a port, so the last colon counts. */
function imageValue(reference: string): { repository: string; tag: string; digest: string } {
  const cut = reference.lastIndexOf(':');
  return { repository: reference.slice(0, cut), tag: reference.slice(cut + 1), digest: '' };
}

/** The chart's values for images that were built here. The operator watches one namespace, so that a demo in a
 * user's cluster never touches their batches. */
export function chartValues(
  images: ImageReferences,
  harnesses: readonly string[],
  watchNamespace: string,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const of = (name: string): unknown => imageValue(images[name] ?? `missing/${name}:none`);
  return {
    ...more,
    watchNamespace,
    images: {
      operator: of('operator'),
      recorder: of('recorder'),
      browser: of('browser'),
      judge: of('judge'),
      harnesses: Object.fromEntries(harnesses.map((name) => [name, of(`harness-${name}`)])),
    },
  };
}

export interface ChartTarget {
  readonly helm: string;
  readonly namespace: string;
  /**
   * We created the cluster, so objects of a removed release (CRDs outlive it) may be taken over. In a user's cluster they
   * may not: there Helm refuses.
   */
  readonly ours: boolean;
}

/** Installs or upgrades the chart and waits for the operator. @throws Error beside another operator of the chart */
export async function installChart(target: ChartTarget, values: Readonly<Record<string, unknown>>): Promise<void> {
  await refuseBesideOthers(target.namespace);
  const args = [
    'upgrade',
    '--install',
    RELEASE,
    'charts/clawbench',
    '-n',
    target.namespace,
    '--create-namespace',
    ...(target.ours ? ['--take-ownership'] : []),
    '--wait',
    '--timeout',
    '120s',
    '-f',
    '-',
  ];
  await run(target.helm, args, { input: JSON.stringify(values), limitMs: 180_000 });
}

/** Removes the release. The CRDs stay (helm.sh/resource-policy: keep): `removeOwnCrds`. */
export async function uninstallChart(helm: string, namespace: string): Promise<void> {
  await run(helm, ['uninstall', RELEASE, '-n', namespace, '--ignore-not-found', '--wait', '--timeout', '60s']);
}
