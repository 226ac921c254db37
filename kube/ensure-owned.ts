import { isAlreadyExists } from './errors.ts';
import { controllerOf, keyOf, ownerReference, type KubeObject, type Live, type New } from './object.ts';
import type { Resource } from './resource.ts';

/**
 * The name that a child must have is taken by an object that is not this owner's. It is never adopted, changed or
 * deleted: it may be somebody's work, or the child of an earlier owner of the same name that is still being collected.
 */
export class ForeignObject extends Error {
  readonly kind: string;
  /** `namespace/name`. */
  readonly key: string;
  /** UID of the owner it has; undefined when nobody manages it. */
  readonly ownerUid: string | undefined;
  constructor(kind: string, key: string, ownerUid: string | undefined) {
    const whose = ownerUid === undefined ? 'nobody here made it' : `it belongs to an owner with UID ${ownerUid}`;
    super(`${kind} ${key} exists already and ${whose}: delete it or choose another name`);
    this.name = 'ForeignObject';
    this.kind = kind;
    this.key = key;
    this.ownerUid = ownerUid;
  }
}

interface EnsureOptions {
  readonly fieldManager?: string;
  /** False for owners whose finalizers we may not update: some clusters ask that right for a reference that blocks. */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Makes the child, or finds the one that an earlier try made. With deterministic names this is what makes a reconcile
 * that is killed at any step safe to repeat: nothing is doubled, nothing is lost. An existing child is returned as it
 * is, also while it is being deleted; it is not updated.
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
