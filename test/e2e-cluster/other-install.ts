import { kubectl } from './commands.ts';

/** A Deployment, as `kubectl get -o json` lists it. */
export interface ListedDeployment {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** An operator of the chart that neither the demo nor the e2e tests installed. */
export interface OtherInstall {
  readonly release: string;
  readonly namespace: string;
}

/** Name of the release that the demo and the e2e tests install. */
export const RELEASE = 'clawbench';

/**
 * The operators of the chart beside our own, whether Helm or `helm template` brought them. Identified by the chart's
 * name, because a value changes `app.kubernetes.io/name`. What a release without an operator left may be taken over.
 * @param own namespace of our release.
 */
export function otherInstalls(deployments: readonly ListedDeployment[], own: string): readonly OtherInstall[] {
  return deployments
    .filter(({ metadata: { labels = {} } }) => {
      const ofChart = /^clawbench-\d/.test(labels['helm.sh/chart'] ?? '');
      return ofChart && labels['app.kubernetes.io/component'] === 'operator';
    })
    .map(({ metadata: { name, namespace, labels } }) => ({
      release: labels?.['app.kubernetes.io/instance'] ?? name,
      namespace,
    }))
    .filter(({ release, namespace }) => release !== RELEASE || namespace !== own);
}

/** One sentence: which release is installed, and the remedy. */
export function refusal({ release, namespace }: OtherInstall): string {
  return (
    `ClawBench is installed in this cluster already (release ${release} in namespace ${namespace}), and a second one would ` +
    'take its CRDs and cluster roles away: nothing was touched; use another cluster (--context NAME), or remove that one ' +
    `(helm uninstall ${release} -n ${namespace}).`
  );
}

/** The operators of the chart in this cluster beside our own. */
export async function findOtherInstalls(own: string): Promise<readonly OtherInstall[]> {
  const selector = 'app.kubernetes.io/component=operator';
  const listed = await kubectl(['get', 'deployments', '-A', '-l', selector, '-o', 'json']);
  return otherInstalls((JSON.parse(listed) as { items: ListedDeployment[] }).items, own);
}

/** @throws Error that names an operator of the chart beside our own */
export async function refuseBesideOthers(own: string): Promise<void> {
  const [other] = await findOtherInstalls(own);
  if (other !== undefined) throw new Error(refusal(other));
}
