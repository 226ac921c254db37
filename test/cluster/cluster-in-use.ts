import { chooseCluster, type Choice, type Engine } from './choose-cluster.ts';
import { kindDown, kindLoad, kindUp } from './kind.ts';
import { down, up } from './lifecycle.ts';
import { loadArchive } from './load-archive.ts';
import { say } from './progress.ts';
import { pushImage } from './push-image.ts';
import { detectEnvironment, type Asked } from './detect-environment.ts';

/** The cluster that a command uses, whichever it is. */
export interface ClusterInUse {
  choice: Choice;
  /** What kubectl, helm and the Kubernetes client are given; undefined means their own default. */
  kubeconfig?: string;
  context?: string;
  /**
   * Brings an image from buildah's store to the nodes and gives the reference for pods. Undefined for a given
   * cluster: where its nodes pull from only its owner knows.
   */
  load?: (tag: string, kind: 'big' | 'changing') => Promise<string>;
  /** Ends a cluster that this tool made; a given one is left alone. */
  end: () => Promise<void>;
}

async function useKind(choice: Choice, engine: Engine): Promise<ClusterInUse> {
  const context = await kindUp(engine);
  return { choice, context, load: (tag) => kindLoad(tag, engine), end: () => kindDown(engine) };
}

async function useEmbedded(choice: Choice, waitMs: number): Promise<ClusterInUse> {
  const { kubeconfig } = await up(waitMs);
  const load = (tag: string, kind: 'big' | 'changing'): Promise<string> =>
    kind === 'big' ? loadArchive(tag) : pushImage(tag);
  return { choice, kubeconfig, load, end: () => down() };
}

/** Another clone's `up` may be compiling. */
const UP_WAITS_MS = 80 * 60_000;

/**
 * Finds or makes the cluster, in the order of `chooseCluster`, and says which it is.
 * @throws when there is none to be had, with what to do about it
 */
export async function useCluster(asked: Asked = {}): Promise<ClusterInUse> {
  const choice = chooseCluster(await detectEnvironment(asked));
  const names = { given: 'a cluster of yours', kind: 'a kind cluster', embedded: 'the embedded cluster', none: 'none' };
  say(`Cluster: ${names[choice.use]} (${choice.why})`);
  if (choice.use === 'none') throw new Error(choice.why);
  if (choice.use === 'kind') return useKind(choice, choice.engine);
  if (choice.use === 'embedded') return useEmbedded(choice, UP_WAITS_MS);
  const { context, kubeconfig } = choice;
  const nothing = (): Promise<void> => Promise.resolve();
  return { choice, ...(context ? { context } : {}), ...(kubeconfig ? { kubeconfig } : {}), end: nothing };
}
