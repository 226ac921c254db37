import type { KubeClient } from '../../kube/client.ts';
import { ApiError, isNotFound } from '../../kube/errors.ts';
import { NAMESPACES } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';

/**
 * The API server lists nothing in a namespace that does not exist, so a wrong `-n` looks like an empty one.
 * @returns one sentence when it does not exist; null when it does, or when we may not look.
 */
export async function missingNamespace(client: KubeClient, name: string): Promise<string | null> {
  try {
    await resource(client, NAMESPACES).get(name);
    return null;
  } catch (error) {
    if (isNotFound(error)) return `there is no namespace ${name} in the cluster`;
    if (error instanceof ApiError) return null;
    throw error;
  }
}
