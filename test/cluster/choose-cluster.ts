/**
 * Which cluster a command uses, in this order: the one that was named; a kind cluster where an engine and kind are;
 * the embedded one. Pure: what was found on the machine comes in, a choice and its one-line reason go out.
 */
export interface DetectedEnvironment {
  /** `--context NAME`. */
  context?: string;
  /** `KUBECONFIG`, or `--kubeconfig`. */
  kubeconfig?: string;
  /** That kubeconfig is the embedded cluster's own, as `npm run cluster -- env` sets it. */
  kubeconfigIsEmbedded: boolean;
  /** A container engine whose daemon answers. */
  engine?: Engine;
  /** `kind` is on the PATH. */
  kind: boolean;
  platform: NodeJS.Platform;
  root: boolean;
}

export type Engine = 'docker' | 'podman';

export type Choice =
  | { use: 'given'; context?: string; kubeconfig?: string; why: string }
  | { use: 'kind'; engine: Engine; why: string }
  | { use: 'embedded'; why: string }
  | { use: 'none'; why: string };

/** Name of the kind cluster; its context is `kind-clawbench`. */
export const KIND_CLUSTER = 'clawbench';

function given(found: DetectedEnvironment): Choice | undefined {
  const { context, kubeconfig } = found;
  if (context === undefined && (kubeconfig === undefined || found.kubeconfigIsEmbedded)) return undefined;
  const why = context === undefined ? 'KUBECONFIG is set' : `the context ${context} was asked for`;
  return {
    use: 'given',
    ...(context === undefined ? {} : { context }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    why,
  };
}

/** The cluster to use. `none` says in `why` what to do about it. */
export function chooseCluster(found: DetectedEnvironment): Choice {
  const named = given(found);
  if (named !== undefined) return named;
  if (found.kubeconfig !== undefined) return { use: 'embedded', why: 'KUBECONFIG is that of the embedded cluster' };
  if (found.engine !== undefined && found.kind) {
    return { use: 'kind', engine: found.engine, why: `${found.engine} runs and kind is on the PATH` };
  }
  const without = found.engine === undefined ? 'no container engine runs' : 'kind is not on the PATH';
  if (found.platform === 'linux' && found.root) return { use: 'embedded', why: without };
  const reason = found.platform === 'linux' ? 'the embedded cluster needs root' : 'the embedded cluster needs Linux';
  return { use: 'none', why: `${without}, and ${reason}. Name a cluster with --context, or install Docker and kind.` };
}
