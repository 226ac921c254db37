import { KubeConfig } from '@kubernetes/client-node';
import { CliFailure, EXIT } from './failure.ts';

/** The server that client-node assumes when it finds no kubeconfig; a call would only report a refused connection. */
const FALLBACK_SERVER = 'http://localhost:8080';

/**
 * The user's kubeconfig (KUBECONFIG, ~/.kube/config or in-cluster) with the given context, or its current context.
 * @throws CliFailure when no kubeconfig is found, it cannot be read, or it has no such context.
 */
export function loadKubeConfig(context?: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    throw new CliFailure(EXIT.usage, `the kubeconfig cannot be read: ${(error as Error).message}`);
  }
  if (config.getCurrentCluster()?.server === FALLBACK_SERVER && config.getCurrentContext() === 'loaded-context') {
    const remedy = 'set KUBECONFIG (for the embedded cluster: eval "$(npm run -s cluster -- env)")';
    throw new CliFailure(
      EXIT.unreachable,
      `no kubeconfig found: KUBECONFIG is not set and ~/.kube/config does not exist; ${remedy}`,
    );
  }
  if (context !== undefined) {
    if (config.getContextObject(context) === null)
      throw new CliFailure(EXIT.usage, `context "${context}" does not exist in the kubeconfig`);
    config.setCurrentContext(context);
  }
  return config;
}
