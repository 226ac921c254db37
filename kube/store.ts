import { controllerOf, keyOf, type KubeObject, type Live } from './object.ts';

/** Returns the index values of an object. */
export type Indexer<T extends KubeObject> = (object: Live<T>) => readonly string[];

/** The last known objects of the cluster. They are shared and must not be changed. */
export interface Store<T extends KubeObject> {
  readonly size: number;
  /** @param key `namespace/name`, see keyOf. */
  get(key: string): Live<T> | undefined;
  list(namespace?: string): Live<T>[];
  /** @throws Error when no index has this name, since a misspelled name would look like an empty cluster */
  byIndex(name: string, value: string): Live<T>[];
}

export interface WritableStore<T extends KubeObject> extends Store<T> {
  /** @returns the previous object */
  set(object: Live<T>): Live<T> | undefined;
  delete(key: string): Live<T> | undefined;
  keys(): string[];
}

/** Index by UID of the controller. */
export function byOwnerUid(object: KubeObject): string[] {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [owner.uid];
}

/** Index by the value of a label. */
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
      if (buckets === undefined)
        throw new Error(`there is no index ${name}; use one of ${[...indexes.keys()].join(', ')}`);
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
