import type { DemoCluster } from './cluster.ts';

/** What a person needs to know about what `--keep` leaves: how to look at it, what a rerun deletes, how it goes away. */
export function keptText({ describe, use }: Pick<DemoCluster, 'describe' | 'use'>, namespace: string): string {
  const look = `kubectl -n ${namespace} get cbb,cbr`;
  const ends = {
    embedded: 'npm run cluster -- down   # removes the cluster and all data in it',
    kind: 'kind delete cluster --name clawbench   # removes the cluster and all data in it',
    given: `helm uninstall clawbench -n ${namespace}-system; kubectl delete namespace ${namespace} ${namespace}-system`,
  };
  return [
    `Left running: ${describe}. To look around:`,
    ...(use === 'embedded' ? ['  eval "$(npm run -s cluster -- env)"   # kubectl, helm, KUBECONFIG'] : []),
    `  ${look}`,
    `  ${ends[use]}`,
    `This operator looks only at namespace ${namespace}, and the next "npm run demo" deletes that namespace; it refuses`,
    'to when somebody has put things of their own there. For batches of your own: docs/install.md.',
  ].join('\n');
}
