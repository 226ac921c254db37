import { KubeConfig } from '@kubernetes/client-node';

/** The user's own kubeconfig (KUBECONFIG, ~/.kube/config or in-cluster), at the given context if one is named. */
export function loadKubeConfig(context?: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromDefault();
  if (context !== undefined) {
    if (config.getContextObject(context) === null) throw new Error(`there is no context ${context} in the kubeconfig`);
    config.setCurrentContext(context);
  }
  return config;
}
