import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toRegistry, type Deliver } from '../../images/deliver.ts';
import { kubectl } from '../e2e-cluster/commands.ts';
import type { Choice } from '../cluster/choose-cluster.ts';
import { useCluster, type ClusterInUse } from '../cluster/cluster-in-use.ts';
import { builtProgram, embeddedIsUp } from '../cluster/lifecycle.ts';
import { say } from '../cluster/progress.ts';

/** The cluster of a demo and what to do with it afterwards. */
export interface DemoCluster {
  readonly describe: string;
  readonly use: 'embedded' | 'kind' | 'given';
  /** Path of the helm binary. */
  readonly helm: string;
  readonly deliver: Deliver;
  /** The demo created it: objects of an earlier release in it may be taken over. */
  readonly ours: boolean;
  /** Removes the cluster if the demo created it; a cluster that was up before is left running. */
  readonly release: () => Promise<void>;
}

export interface ClusterOptions {
  readonly context: string | undefined;
  /** Registry that the nodes of a given cluster pull from. */
  readonly registry: string | undefined;
}

/**
 * Finds or makes a cluster and points KUBECONFIG at it.
 * @throws Error with a remedy when a given cluster has no way to get our images.
 */
export async function claimCluster(options: ClusterOptions): Promise<DemoCluster> {
  const wasUp = embeddedIsUp();
  const cluster = await useCluster(options.context === undefined ? {} : { context: options.context });
  const deliver = cluster.load ?? (options.registry === undefined ? null : toRegistry(options.registry));
  if (deliver === null) {
    throw new Error(
      'a cluster of yours needs a registry for the images: add --registry HOST[:PORT]/PATH that its nodes pull from',
    );
  }
  if (cluster.kubeconfig !== undefined) process.env['KUBECONFIG'] = cluster.kubeconfig;
  if (cluster.context !== undefined) await pinContext(cluster.context);
  const use = useOf(cluster.choice);
  return {
    describe: describe(use, cluster),
    use,
    helm: await builtProgram('helm'),
    deliver,
    ours: use !== 'given',
    release: use === 'embedded' && wasUp ? leaveUp : cluster.end,
  };
}

/** @throws Error if there is no cluster to use */
function useOf(choice: Choice): DemoCluster['use'] {
  if (choice.use === 'none') throw new Error(choice.why);
  return choice.use;
}

function describe(use: DemoCluster['use'], { kubeconfig = '', context = 'current' }: ClusterInUse): string {
  return use === 'embedded' ? `embedded Kubernetes, KUBECONFIG=${kubeconfig}` : `context ${context}`;
}

function leaveUp(): Promise<void> {
  say('  the cluster was up before and stays; "npm run cluster -- down" removes it');
  return Promise.resolve();
}

/** kubectl, helm and our client all follow KUBECONFIG: a private copy with this context as the current one. */
async function pinContext(context: string): Promise<void> {
  const config = await kubectl(['config', 'view', '--raw', '--minify', '--flatten', '--context', context]);
  const path = join(mkdtempSync(join(tmpdir(), 'clawbench-demo-')), 'kubeconfig');
  writeFileSync(path, config, { mode: 0o600 });
  process.env['KUBECONFIG'] = path;
}
