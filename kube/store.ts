import { controllerOf, keyOf, type KubeObject, type Live } from './object.ts';

/** Values under which an object can be found. */
export type Indexer<T extends KubeObject> = (object: Live<T>) => readonly string[];

/** What the cluster was last seen to hold. Objects are shared: read, never change them. */
export interface Store<T extends KubeObject> {
  readonly size: number;
  /** @param key `namespace/name`, see keyOf. */
  get(key: string): Live<T> | undefined;
  list(namespace?: string): Live<T>[];
  /** @throws Error when no indexer has this name: a misspelt index would else look like an empty cluster. */
  byIndex(name: string, value: string): Live<T>[];
}

export interface WritableStore<T extends KubeObject> extends Store<T> {
  /** @returns what was there. */
  set(object: Live<T>): Live<T> | undefined;
  delete(key: string): Live<T> | undefined;
  keys(): string[];
}

/** By UID of the managing owner. */
export function byOwnerUid(object: KubeObject): string[] {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [owner.uid];
}

/** By the value of a label. */
export function byLabel(name: string): (object: KubeObject) => string[] {
  return (object) => {
    const value = object.metadata.labels?.[name];
    return value === undefined ? [] : [value];
  };
}

/** An empty store with the given indexes. */
export function createStore<T extends KubeObject>(indexers: Readonly<Record<string, Indexer<T>>>): WritableStore<T> {
  const objects = new Map<string, Live<T>>();
  const indexes = new Map(Object.keys(indexers).map((name) => [name, new Map<string, Set<string>>()]));

  const index = (key: string, object: Live<T>, change: 'add' | 'delete'): void => {
    for (const [name, buckets] of indexes) {
      for (const value of indexers[name]?.(object) ?? []) {
        const keys = buckets.get(value) ?? new Set();
        keys[change](key);
        if (keys.size === 0) buckets.delete(value);
        else buckets.set(value, keys);
      }
    }
  };
  const remove = (key: string): Live<T> | undefined => {
    const old = objects.get(key);
    if (old === undefined) return undefined;
    objects.delete(key);
    index(key, old, 'delete');
    return old;
  };

  return {
    get size() {
      return objects.size;
    },
    get: (key) => objects.get(key),
    list: (namespace) =>
      [...objects.values()].filter((object) => namespace === undefined || object.metadata.namespace === namespace),
    byIndex: (name, value) => {
      const buckets = indexes.get(name);
      if (buckets === undefined) throw new Error(`no index ${name}; there are: ${[...indexes.keys()].join(', ')}`);
      return [...(buckets.get(value) ?? [])].flatMap((key) => objects.get(key) ?? []);
    },
    set: (object) => {
      const key = keyOf(object);
      const old = remove(key);
      objects.set(key, object);
      index(key, object, 'add');
      return old;
    },
    delete: remove,
    keys: () => [...objects.keys()],
  };
}
