import { OPERATOR_FIELD_MANAGER } from '../crds/group.ts';
import { isConflict, isNotFound } from '../kube/errors.ts';
import type { KubeObject, Live } from '../kube/object.ts';
import type { Resource } from '../kube/resource.ts';
import { statusPatch } from './status-patch.ts';

/** `stale`: the object has changed since the decision; decide again when the newer version is seen. */
export type StatusWrite<T> =
  { readonly result: 'unchanged' } | { readonly result: 'stale' } | { readonly result: 'written'; readonly object: T };

/**
 * Writes what changed, if the object is still the one that was decided on. Its resourceVersion is the precondition, so
 * neither an old cache nor an old leader can overwrite newer facts.
 */
export async function writeStatus<T extends KubeObject & { status?: object }>(
  resource: Resource<T>,
  seen: Live<T>,
  next: object,
): Promise<StatusWrite<Live<T>>> {
  const patch = statusPatch(seen.status, next);
  if (patch === null) return { result: 'unchanged' };
  const { name, namespace = '', uid, resourceVersion } = seen.metadata;
  try {
    const options = { subresource: 'status', uid, resourceVersion, fieldManager: OPERATOR_FIELD_MANAGER } as const;
    return { result: 'written', object: await resource.in(namespace).mergePatch(name, { status: patch }, options) };
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return { result: 'stale' };
    throw error;
  }
}
