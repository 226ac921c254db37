/**
 * Kubernetes objects in their JSON form. client-node's types describe objects after its own deserialization (`Date`,
 * `_from`), but our calls return plain JSON. `Kind<V1Pod>` is the type of that JSON.
 */

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Metadata of an object to write; fields that the server sets are optional. Times are RFC 3339 strings. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
}

/** Any object, of a core kind or of a CRD. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** Metadata of an object that the server returned. */
export interface LiveMeta extends ObjectMeta {
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
}

/** An object that exists: read, listed, watched or returned by a write. */
export type Live<T extends KubeObject> = T & { metadata: LiveMeta };

/** An object to be written; `apiVersion` and `kind` default to those of the ref. */
export type New<T extends KubeObject> = Omit<T, 'apiVersion' | 'kind'> & { apiVersion?: string; kind?: string };

/** A type of client-node as JSON: `Date` becomes `string`, `_from` becomes `from`. */
export type JsonForm<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? JsonForm<Item>[]
    : T extends object
      ? { [Key in keyof T as Key extends `_${infer Name}` ? Name : Key]: JsonForm<T[Key]> }
      : T;

/** A kind of client-node as a {@link KubeObject}: `Kind<V1Pod>`. */
export type Kind<T> = KubeObject & Omit<JsonForm<T>, 'apiVersion' | 'kind' | 'metadata'>;

/** Group, version and plural of a kind. `group` is empty for the core group. `T` is used for inference only. */
export interface ResourceRef<T extends KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly object?: T;
}

/** `group/version`, or `version` for the core group. */
export function apiVersionOf(ref: { readonly group: string; readonly version: string }): string {
  return ref.group === '' ? ref.version : `${ref.group}/${ref.version}`;
}

/** The key of an object in queues and stores: `namespace/name`, or `name` if it is cluster-scoped. */
export function keyOf(object: { readonly metadata: { readonly name: string; readonly namespace?: string } }): string {
  const { name, namespace } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The reference that makes `owner` the controller of a child. Garbage collection uses its UID. */
export function ownerReference(owner: Live<KubeObject>): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}

/** The owner reference of the object's controller, if any. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}
