import { CRD_NAMES } from '../e2e-cluster/own-crds.ts';
import type { DemoCluster } from './demo-cluster.ts';

type Described = Pick<DemoCluster, 'describe' | 'use'>;

/** Commands that remove a demo from a cluster which stays. */
function removal(namespace: string): string {
  return `helm uninstall clawbench -n ${namespace}-system; kubectl delete namespace ${namespace} ${namespace}-system`;
}

/** The command that removes what a demo left: the whole cluster if the demo created it, otherwise only the demo. */
function ending(use: DemoCluster['use'], namespace: string): string {
  const ends = {
    embedded: 'npm run cluster -- down',
    kind: 'kind delete cluster --name clawbench',
    given: removal(namespace),
  };
  return ends[use];
}

const ALL_OF_IT = '   # removes the cluster and all data in it';

/** Printed after `--keep`: how to inspect what is left, what the next demo deletes, and how to remove it. */
export function leftRunningText({ describe, use }: Described, namespace: string): string {
  return [
    `Left running: ${describe}. To inspect it:`,
    ...(use === 'embedded' ? ['  eval "$(npm run -s cluster -- env)"   # kubectl, helm, KUBECONFIG'] : []),
    `  kubectl -n ${namespace} get cbb,cbr`,
    `  ${ending(use, namespace)}${use === 'given' ? '' : ALL_OF_IT}`,
    `This operator watches only namespace ${namespace}. The next "npm run demo" deletes that namespace, unless it contains`,
    'objects that no demo created. To run your own batches, install ClawBench (docs/install.md). In this cluster, Helm',
    'refuses the installation until you have removed the demo and its CRDs:',
    ...(use === 'given' ? [] : [`  ${removal(namespace)}`]),
    `  kubectl delete crd ${CRD_NAMES.join(' ')}   # deletes every batch and run, of all namespaces`,
  ].join('\n');
}

/** One line after an interrupt: what still runs and how to remove it. Null: the demo had no cluster yet. */
export function interruptedText(cluster: Described | null, namespace: string): string {
  if (cluster === null)
    return 'Interrupted before the cluster of the demo was up. The next demo reuses what was built.';
  const { describe, use } = cluster;
  const what = use === 'given' ? 'the objects of the demo' : 'the cluster and the objects of the demo';
  return `Interrupted. Still running: ${what} (${describe}). To remove it: ${ending(use, namespace)}`;
}
