import { builtProgram, down, up } from '../cluster/lifecycle.ts';

/** The cluster of a demo and what to do with it afterwards. */
export interface DemoCluster {
  readonly describe: string;
  /** Path of the helm binary. */
  readonly helm: string;
  /** Removes the cluster when the demo made it. */
  readonly release: () => Promise<void>;
}

/**
 * Finds or makes a cluster and points KUBECONFIG at it. A context that is named is used as it is; the embedded cluster
 * is left up when it was up before.
 */
export async function claimCluster(context: string | undefined): Promise<DemoCluster> {
  if (context !== undefined) {
    throw new Error(
      '--context: images have to reach that cluster by a registry of yours; see docs/install.md, "Your own cluster"',
    );
  }
  const places = await up();
  process.env['KUBECONFIG'] = places.kubeconfig;
  return {
    describe: `embedded Kubernetes, KUBECONFIG=${places.kubeconfig}`,
    helm: await builtProgram('helm'),
    release: () => down(),
  };
}
