import { KubeConfig } from '@kubernetes/client-node';
import { CliFailure, EXIT } from './failure.ts';

/** What the client makes up when it finds nothing; asked, it would only say that a connection was refused. */
const MADE_UP = 'http://localhost:8080';

/**
 * The user's own kubeconfig (KUBECONFIG, ~/.kube/config or in-cluster), at the given context if one is named.
 * @throws CliFailure when there is none, or it cannot be read, or has no such context.
 */
export function loadKubeConfig(context?: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    throw new CliFailure(EXIT.usage, `the kubeconfig cannot be read: ${(error as Error).message}`);
  }
  if (config.getCurrentCluster()?.server === MADE_UP && config.getCurrentContext() === 'loaded-context') {
    const remedy = 'set KUBECONFIG (for the embedded cluster: eval "$(npm run -s cluster -- env)")';
    throw new CliFailure(EXIT.unreachable, `no kubeconfig: there is neither KUBECONFIG nor ~/.kube/config; ${remedy}`);
  }
  if (context !== undefined) {
    if (config.getContextObject(context) === null)
      throw new CliFailure(EXIT.usage, `there is no context ${context} in the kubeconfig`);
    config.setCurrentContext(context);
  }
  return config;
}
