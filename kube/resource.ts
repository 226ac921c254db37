import type { ApiCall, KubeClient } from './client.ts';
import { isGone, isNotFound } from './errors.ts';
import { apiVersionOf, type KubeObject, type Live, type New, type ResourceRef } from './object.ts';

/** Options of every verb; times in milliseconds. */
export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly retries?: number;
}
export interface Selectors {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}
export interface ListOptions extends CallOptions, Selectors {
  /** Objects per page. Default 500, so that a page of large objects has a few MB. */
  readonly pageSize?: number;
}
export interface ListResult<T extends KubeObject> {
  readonly items: Live<T>[];
  /** Version that a watch after this list starts from. */
  readonly resourceVersion: string;
}
export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string;
  readonly subresource?: 'status';
}
/** Preconditions of a write. If one is not met, the write fails with a conflict and changes nothing. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take ownership of fields from other managers. Default true, since the operator owns the objects that it creates. */
  readonly force?: boolean;
  /** UID that the object must have. Without it, an apply would create a missing object, or change another one of the name. */
  readonly uid?: string;
}
export interface DeleteOptions extends CallOptions, Preconditions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}
export interface WatchOptions extends Selectors {
  readonly resourceVersion: string;
  /** The server ends the watch after this; seconds. */
  readonly timeoutSeconds: number;
}
/** The object to apply: only the fields that the field manager owns. */
export type Applied<T extends KubeObject> = Partial<Omit<T, 'metadata' | 'apiVersion' | 'kind'>> & {
  metadata: Partial<T['metadata']> & { name: string };
};

/** The API of one kind in one namespace, or in all. Throws ApiError and ApiUnreachable (errors.ts). */
export interface Resource<T extends KubeObject> {
  readonly ref: ResourceRef<T>;
  readonly namespace: string | undefined;
  /** The same kind in a namespace. */
  in(namespace: string): Resource<T>;
  get(name: string, options?: CallOptions): Promise<Live<T>>;
  /** Like get, but returns null if the object does not exist. */
  find(name: string, options?: CallOptions): Promise<Live<T> | null>;
  /** All pages. */
  list(options?: ListOptions): Promise<ListResult<T>>;
  create(object: New<T>, options?: WriteOptions): Promise<Live<T>>;
  /** PUT; the object's resourceVersion is its precondition. */
  replace(object: Live<T>, options?: WriteOptions): Promise<Live<T>>;
  /** RFC 7386: `null` removes a field, arrays are replaced whole. */
  mergePatch(name: string, patch: object, options?: WriteOptions & Preconditions): Promise<Live<T>>;
  /** Server-side apply. Fields applied before by this manager and left out now are removed. */
  apply(object: Applied<T>, options: ApplyOptions): Promise<Live<T>>;
  /** @returns false if it did not exist. A failed precondition throws a conflict. */
  delete(name: string, options?: DeleteOptions): Promise<boolean>;
  /** The call that starts a watch. */
  watchCall(options: WatchOptions): ApiCall;
  readonly client: KubeClient;
}

interface RawList<T extends KubeObject> {
  metadata: { resourceVersion: string; continue?: string };
  items: Live<T>[] | null;
}

/** @param namespace undefined for cluster-wide lists and watches, or for a cluster-scoped kind */
export function resource<T extends KubeObject>(
  client: KubeClient,
  ref: ResourceRef<T>,
  namespace?: string,
): Resource<T> {
  const base = collectionPath(ref, namespace);
  const path = (name: string, subresource?: string, collection = base): string =>
    `${collection}/${encodeURIComponent(name)}${subresource === undefined ? '' : `/${subresource}`}`;
  /** A cluster-wide resource writes each object to the object's namespace. */
  const home = (object: { metadata: { namespace?: string | undefined } }): string =>
    collectionPath(ref, namespace ?? object.metadata.namespace);
  const identity = { apiVersion: apiVersionOf(ref), kind: ref.kind };

  const get = (name: string, options: CallOptions = {}): Promise<Live<T>> =>
    client.request({ ...limits(options), method: 'GET', path: path(name) });

  const page = (options: ListOptions, limit: number | undefined, token: string | undefined): Promise<RawList<T>> =>
    client.request({
      ...limits(options),
      method: 'GET',
      path: base,
      query: { ...selectors(options), limit, continue: token },
    });

  const listPaged = async (options: ListOptions, limit: number | undefined): Promise<ListResult<T>> => {
    const items: Live<T>[] = [];
    let token: string | undefined;
    for (;;) {
      const raw = await page(options, limit, token);
      // List items come without apiVersion and kind.
      for (const item of raw.items ?? []) items.push({ ...identity, ...item });
      token = raw.metadata.continue;
      if (!token) return { items, resourceVersion: raw.metadata.resourceVersion };
    }
  };

  const write = (
    call: Pick<ApiCall, 'method' | 'path' | 'body' | 'contentType'>,
    options: WriteOptions,
    force?: boolean,
  ) =>
    client.request<Live<T>>({
      ...limits(options),
      ...call,
      query: { fieldManager: options.fieldManager, force },
    });

  return {
    client,
    ref,
    namespace,
    in: (other) => resource(client, ref, other),
    get,
    find: async (name, options) => {
      try {
        return await get(name, options);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    list: async (options = {}) => {
      try {
        return await listPaged(options, options.pageSize ?? 500);
      } catch (error) {
        // The continue token has expired. List without pages instead of starting over repeatedly.
        if (isGone(error)) return listPaged(options, undefined);
        throw error;
      }
    },
    create: (object, options = {}) =>
      write({ method: 'POST', path: home(object), body: { ...identity, ...object } }, options),
    replace: (object, options = {}) =>
      write(
        { method: 'PUT', path: path(object.metadata.name, options.subresource, home(object)), body: object },
        options,
      ),
    mergePatch: (name, patch, options = {}) =>
      write(
        {
          method: 'PATCH',
          path: path(name, options.subresource),
          body: withPreconditions(patch, options),
          contentType: 'application/merge-patch+json',
        },
        options,
      ),
    apply: (object, options) => {
      const metadata = options.uid === undefined ? object.metadata : { ...object.metadata, uid: options.uid };
      return write(
        {
          method: 'PATCH',
          path: path(object.metadata.name, options.subresource, home(object)),
          body: { ...identity, ...object, metadata },
          contentType: 'application/apply-patch+yaml',
        },
        options,
        options.force ?? true,
      );
    },
    delete: async (name, options = {}) => {
      try {
        await client.request({ ...limits(options), method: 'DELETE', path: path(name), body: deleteBody(options) });
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
    watchCall: ({ resourceVersion, timeoutSeconds, ...select }) => ({
      method: 'GET',
      path: base,
      query: { ...selectors(select), watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds },
    }),
  };
}

/** Copies only defined call options; subresource and fieldManager are not among them. */
function limits(options: CallOptions): Pick<ApiCall, 'timeoutMs' | 'signal' | 'retries'> {
  return {
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.retries === undefined ? {} : { retries: options.retries }),
  };
}

function selectors(options: Selectors): Record<string, string | undefined> {
  return { labelSelector: options.labelSelector, fieldSelector: options.fieldSelector };
}

function collectionPath(ref: ResourceRef<KubeObject>, namespace: string | undefined): string {
  const root = ref.group === '' ? `/api/${ref.version}` : `/apis/${ref.group}/${ref.version}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${ref.plural}`;
}

function withPreconditions(patch: object, { uid, resourceVersion }: Preconditions): object {
  if (uid === undefined && resourceVersion === undefined) return patch;
  const { metadata } = patch as { metadata?: object };
  return { ...patch, metadata: { ...metadata, ...defined({ uid, resourceVersion }) } };
}

function deleteBody(options: DeleteOptions): object {
  const preconditions = defined({ uid: options.uid, resourceVersion: options.resourceVersion });
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: options.propagationPolicy ?? 'Background',
    ...defined({ gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(Object.keys(preconditions).length > 0 ? { preconditions } : {}),
  };
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
