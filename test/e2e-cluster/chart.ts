import { run } from './commands.ts';
import { refuseBesideOthers, RELEASE } from './other-install.ts';

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
