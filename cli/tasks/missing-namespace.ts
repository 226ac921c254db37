import type { KubeClient } from '../../kube/client.ts';
import { ApiError, isNotFound } from '../../kube/errors.ts';
import { NAMESPACES } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';

/**
 * The API server returns an empty list for a namespace that does not exist, so a misspelled `-n` looks like an empty one.
 * @returns a message if the namespace does not exist; null if it does, or if the user may not read namespaces
 */
export async function missingNamespace(client: KubeClient, name: string): Promise<string | null> {
  try {
    await resource(client, NAMESPACES).get(name);
    return null;
  } catch (error) {
    if (isNotFound(error)) return `namespace "${name}" does not exist in the cluster`;
    if (error instanceof ApiError) return null;
    throw error;
  }
}
