import type { KubeObject, Live, ObjectMeta } from '../object.ts';

/**
 * A minimum of API server semantics for unit tests: objects with resourceVersions, conflicts, paging and a log of events
 * to watch from. test/e2e/kube.test.ts tests everything else with a real API server.
 */
export interface LoggedEvent {
  readonly collection: string;
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Live<KubeObject>;
}
export interface ApiReply {
  readonly status: number;
  readonly body: unknown;
}

export interface ObjectApi {
  /** Creates or changes an object, as another client would. */
  put(collection: string, object: { metadata: ObjectMeta; [field: string]: unknown }): void;
  remove(collection: string, name: string): void;
  /** Drops the history: watches from older versions and continue tokens get 410. */
  compact(): void;
  /** Events of a collection after a version; null if the version is too old. */
  eventsAfter(collection: string, version: number): LoggedEvent[] | null;
  onEvent: (event: LoggedEvent) => void;
  readonly version: number;
  list(collection: string, query: URLSearchParams): ApiReply;
  get(collection: string, name: string): ApiReply;
  create(collection: string, body: KubeObject): ApiReply;
  replace(collection: string, name: string, body: KubeObject): ApiReply;
  mergePatch(collection: string, name: string, patch: Record<string, unknown>): ApiReply;
  delete(collection: string, name: string, preconditions: { uid?: string } | undefined): ApiReply;
}

/** `metav1.Status` of a failure. */
export function failure(code: number, reason: string, extra: object = {}): ApiReply {
  return { status: code, body: { kind: 'Status', status: 'Failure', code, reason, message: `${reason}!`, ...extra } };
}

export function createObjectApi(): ObjectApi {
  const collections = new Map<string, Map<string, Live<KubeObject>>>();
  let version = 100;
  let compactedTo = 0;
  let log: LoggedEvent[] = [];
  let uids = 0;
  const of = (collection: string): Map<string, Live<KubeObject>> => {
    const objects = collections.get(collection) ?? new Map<string, Live<KubeObject>>();
    collections.set(collection, objects);
    return objects;
  };
  const record = (collection: string, type: LoggedEvent['type'], object: Live<KubeObject>): void => {
    const event = { collection, version, type, object };
    log.push(event);
    api.onEvent(event);
  };
  const save = (collection: string, object: KubeObject): Live<KubeObject> => {
    const old = of(collection).get(object.metadata.name);
    version += 1;
    const metadata = {
      ...object.metadata,
      uid: old?.metadata.uid ?? `uid-${(uids += 1)}`,
      resourceVersion: String(version),
      creationTimestamp: old?.metadata.creationTimestamp ?? '2030-01-01T00:00:00Z',
    };
    const saved = { ...object, metadata };
    of(collection).set(saved.metadata.name, saved);
    record(collection, old === undefined ? 'ADDED' : 'MODIFIED', saved);
    return saved;
  };
  const existing = (collection: string, name: string, change: (old: Live<KubeObject>) => ApiReply): ApiReply => {
    const old = of(collection).get(name);
    return old === undefined ? failure(404, 'NotFound') : change(old);
  };

  const api: ObjectApi = {
    onEvent: () => undefined,
    get version() {
      return version;
    },
    put: (collection, object) => void save(collection, object as unknown as KubeObject),
    remove: (collection, name) => {
      const old = of(collection).get(name);
      if (old === undefined) return;
      of(collection).delete(name);
      version += 1;
      const metadata = { ...old.metadata, resourceVersion: String(version) };
      record(collection, 'DELETED', { ...old, metadata });
    },
    compact: () => {
      compactedTo = version;
      log = [];
    },
    eventsAfter: (collection, after) =>
      after < compactedTo ? null : log.filter((event) => event.collection === collection && event.version > after),
    list: (collection, query) => {
      const [at, start = '0'] = (query.get('continue') ?? `${version}:0`).split(':');
      if (Number(at) < compactedTo) return failure(410, 'Expired');
      const all = [...of(collection).values()];
      const from = Number(start);
      const to = query.has('limit') ? from + Number(query.get('limit')) : all.length;
      const more = to < all.length ? { continue: `${at}:${to}` } : {};
      return { status: 200, body: { metadata: { resourceVersion: at, ...more }, items: all.slice(from, to) } };
    },
    get: (collection, name) => existing(collection, name, (old) => ({ status: 200, body: old })),
    create: (collection, body) =>
      of(collection).has(body.metadata.name)
        ? failure(409, 'AlreadyExists')
        : { status: 201, body: save(collection, body) },
    replace: (collection, name, body) =>
      existing(collection, name, (old) =>
        body.metadata.resourceVersion === old.metadata.resourceVersion
          ? { status: 200, body: save(collection, body) }
          : failure(409, 'Conflict'),
      ),
    mergePatch: (collection, name, patch) =>
      existing(collection, name, (old) => {
        const merged = {
          ...old,
          ...patch,
          metadata: { ...old.metadata, ...(patch['metadata'] as object | undefined) },
        };
        return { status: 200, body: save(collection, merged) };
      }),
    delete: (collection, name, preconditions) =>
      existing(collection, name, (old) => {
        if (preconditions?.uid !== undefined && preconditions.uid !== old.metadata.uid) return failure(409, 'Conflict');
        api.remove(collection, name);
        return { status: 200, body: { kind: 'Status', status: 'Success' } };
      }),
  };
  return api;
}
