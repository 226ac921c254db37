import { CRD_NAMES } from '../e2e-cluster/own-crds.ts';
import type { DemoCluster } from './cluster.ts';

type Described = Pick<DemoCluster, 'describe' | 'use'>;

/** Commands that remove a demo from a cluster which stays. */
function removal(namespace: string): string {
  return `helm uninstall clawbench -n ${namespace}-system; kubectl delete namespace ${namespace} ${namespace}-system`;
}

/** The command that ends what a demo left: the cluster where it is of our making, else only the demo. */
function ending(use: DemoCluster['use'], namespace: string): string {
  const ends = {
    embedded: 'npm run cluster -- down',
    kind: 'kind delete cluster --name clawbench',
    given: removal(namespace),
  };
  return ends[use];
}

const ALL_OF_IT = '   # removes the cluster and all data in it';

/** What a person needs to know about what `--keep` leaves: how to look at it, what a rerun deletes, how it goes away. */
export function keptText({ describe, use }: Described, namespace: string): string {
  return [
    `Left running: ${describe}. To look around:`,
    ...(use === 'embedded' ? ['  eval "$(npm run -s cluster -- env)"   # kubectl, helm, KUBECONFIG'] : []),
    `  kubectl -n ${namespace} get cbb,cbr`,
    `  ${ending(use, namespace)}${use === 'given' ? '' : ALL_OF_IT}`,
    `This operator looks only at namespace ${namespace}, and the next "npm run demo" deletes that namespace; it refuses`,
    'to when somebody has put things of their own there. For batches of your own install ClawBench (docs/install.md). In',
    'this cluster Helm refuses that until the demo and its CRDs are gone:',
    ...(use === 'given' ? [] : [`  ${removal(namespace)}`]),
    `  kubectl delete crd ${CRD_NAMES.join(' ')}   # deletes every batch and run, of all namespaces`,
  ].join('\n');
}

/** One line for who interrupts a demo: what still runs, and how it goes away. Null: there was no cluster yet. */
export function interruptedText(cluster: Described | null, namespace: string): string {
  if (cluster === null) return 'Interrupted before there was a cluster for the demo; what was built is used next time.';
  const { describe, use } = cluster;
  const what = use === 'given' ? 'what the demo made' : 'the cluster and what the demo made';
  return `Interrupted. Still running: ${what} (${describe}). To remove it: ${ending(use, namespace)}`;
}
