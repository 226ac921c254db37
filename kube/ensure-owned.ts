import { isAlreadyExists } from './errors.ts';
import { controllerOf, keyOf, ownerReference, type KubeObject, type Live, type New } from './object.ts';
import type { Resource } from './resource.ts';

/**
 * An object with another owner has the name of the child. It is never adopted, changed or deleted: it may belong to a
 * user, or to an earlier owner of the same name and not have been garbage-collected yet.
 */
export class ForeignObject extends Error {
  readonly kind: string;
  /** `namespace/name`. */
  readonly key: string;
  /** UID of its controller; undefined if it has none. */
  readonly ownerUid: string | undefined;
  constructor(kind: string, key: string, ownerUid: string | undefined) {
    const owner = ownerUid === undefined ? 'has no owner' : `is owned by another object (UID ${ownerUid})`;
    super(`${kind} ${key} already exists and ${owner}; delete it or use a different name`);
    this.name = 'ForeignObject';
    this.kind = kind;
    this.key = key;
    this.ownerUid = ownerUid;
  }
}

interface EnsureOptions {
  readonly fieldManager?: string;
  /** False for owners whose finalizers may not be updated, which some clusters require for blockOwnerDeletion. */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Creates the child, or returns the one that an earlier try created. Together with deterministic names, this makes a
 * reconcile safe to repeat wherever it was interrupted. An existing child is returned without an update, even while it is
 * being deleted.
 * @throws ForeignObject, ApiError, ApiUnreachable.
 */
export async function ensureOwned<T extends KubeObject>(
  resource: Resource<T>,
  object: New<T>,
  owner: Live<KubeObject>,
  { blockOwnerDeletion = true, ...options }: EnsureOptions = {},
): Promise<{ object: Live<T>; created: boolean }> {
  const reference = { ...ownerReference(owner), blockOwnerDeletion };
  const owned = { ...object, metadata: { ...object.metadata, ownerReferences: [reference] } };
  try {
    return { object: await resource.create(owned, options), created: true };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const existing = await resource.get(object.metadata.name);
  const ownerUid = controllerOf(existing)?.uid;
  if (ownerUid !== owner.metadata.uid) throw new ForeignObject(existing.kind, keyOf(existing), ownerUid);
  return { object: existing, created: false };
}
