import type { Logger } from 'pino';
import { backoffMs, type Backoff } from './backoff.ts';
import { sleep, systemClock, type Clock } from './clock.ts';
import { ApiError, isGone } from './errors.ts';
import type { KubeMetrics } from './metrics.ts';
import { keyOf, type KubeObject, type Live } from './object.ts';
import type { Resource, Selectors } from './resource.ts';
import { createStore, type Indexer, type Store, type WritableStore } from './store.ts';
import { watchEvents, WatchBroken, WatchStale } from './watch.ts';

/**
 * Keeps a store in sync with the cluster, whatever happens to the watch. client-node's informer stops permanently after a
 * 500 or a reset, does not detect a silent watch, and an error in a handler ends the process.
 *
 * A single loop, so that there is never a second list or watch: list → watch from its version → when the watch ends, watch
 * again from the last version. It lists again when that version has expired, when watching failed twice without an event
 * in between (the version may be the cause), and at least every `relistMs`.
 */
export interface ReflectorOptions<T extends KubeObject> extends Selectors {
  readonly log: Logger;
  readonly indexers?: Readonly<Record<string, Indexer<T>>>;
  /**
   * Longest silence of a watch in milliseconds. Together with the back-off, it limits how stale the store can be. It must be
   * longer than a watch lasts, since bookmarks are irregular: gaps of 120 s were seen on an idle 1.36 server. Default 75 s.
   */
  readonly staleAfterMs?: number;
  /**
   * Time after which the server ends each watch, ±20 %. Default 50 s: short, so that a watch that does not end is known to
   * be dead. A new watch is one request per minute.
   */
  readonly watchSeconds?: number;
  /** Longest time between two full lists, which follow the end of a watch. Default 15 min. */
  readonly relistMs?: number;
  /** Time limit of one page of a list and of the start of a watch. Default 30 s. */
  readonly listTimeoutMs?: number;
  readonly pageSize?: number;
  readonly backoff?: Backoff;
  /** The part of an object that is stored. Default: all but `managedFields`, which are often half of it. */
  readonly transform?: (object: Live<T>) => Live<T>;
  readonly metrics?: KubeMetrics;
  readonly clock?: Clock;
}

export interface Change<T extends KubeObject> {
  readonly type: 'added' | 'modified' | 'deleted';
  /** For `deleted`, the last known state. */
  readonly object: Live<T>;
  readonly old?: Live<T>;
}
export type ChangeHandler<T extends KubeObject> = (change: Change<T>) => void;

export interface Reflector<T extends KubeObject> {
  readonly store: Store<T>;
  /** Resolves after the first full list; rejects if the reflector is stopped before. */
  readonly synced: Promise<void>;
  /** Milliseconds since the last response of the API server for this kind. */
  quietMs(): number;
  /** Calls the handler with every change, starting with an `added` for each stored object. Its errors are logged. */
  subscribe(handler: ChangeHandler<T>): () => void;
  stop(): Promise<void>;
}

const DEFAULTS = {
  staleAfterMs: 75_000,
  watchSeconds: 50,
  relistMs: 15 * 60_000,
  listTimeoutMs: 30_000,
  pageSize: 500,
  backoff: { baseMs: 500, capMs: 30_000 },
  indexers: {},
  clock: systemClock,
};

/** Starts at once. See {@link ReflectorOptions}. */
export function startReflector<T extends KubeObject>(source: Resource<T>, options: ReflectorOptions<T>): Reflector<T> {
  const settings = { ...DEFAULTS, transform: dropManagedFields<T>, ...options };
  const { clock } = settings;
  const log = settings.log.child({ watch: source.ref.plural });
  const store = createStore<T>(settings.indexers);
  const handlers = new Set<ChangeHandler<T>>();
  const stopping = new AbortController();
  const synced = Promise.withResolvers<void>();
  synced.promise.catch(() => undefined);
  let lastResponseAt = clock.now();

  const report = (error: unknown): void => log.error({ err: error }, 'a change handler failed');
  const notify = (handler: ChangeHandler<T>, change: Change<T>): void => {
    try {
      const result: unknown = handler(change);
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  };
  const emit = (change: Change<T>): void => {
    for (const handler of [...handlers]) notify(handler, change);
  };

  const list = async (): Promise<string> => {
    const { items, resourceVersion } = await source.list({
      ...selectors(settings),
      pageSize: settings.pageSize,
      timeoutMs: settings.listTimeoutMs,
      signal: stopping.signal,
    });
    lastResponseAt = clock.now();
    replaceAll(store, items.map(settings.transform), emit);
    synced.resolve();
    return resourceVersion;
  };

  /** Watches until the watch ends. The position is updated with each event, so that a failure loses nothing. */
  const watch = async (position: Position): Promise<void> => {
    const jitter = 0.8 + Math.random() * 0.4;
    const events = watchEvents(
      source,
      {
        ...selectors(settings),
        resourceVersion: position.resourceVersion,
        timeoutSeconds: Math.max(1, Math.round(settings.watchSeconds * jitter)),
      },
      {
        signal: stopping.signal,
        staleAfterMs: settings.staleAfterMs,
        connectMs: Math.min(settings.listTimeoutMs, settings.staleAfterMs),
        clock,
      },
    );
    for await (const { type, object } of events) {
      lastResponseAt = clock.now();
      position.failures = 0;
      if (type === 'DELETED') removeOne(store, object, emit);
      else if (type !== 'BOOKMARK') putOne(store, settings.transform(object), emit);
      position.resourceVersion = object.metadata.resourceVersion;
    }
    lastResponseAt = clock.now();
  };

  const step = async (position: Position): Promise<void> => {
    if (position.resourceVersion === '' || clock.now() - position.listedAt >= settings.relistMs) {
      position.resourceVersion = await list();
      position.listedAt = clock.now();
    }
    const startedAt = clock.now();
    await watch(position);
    // Avoids a tight loop with a server that accepts watches and ends them immediately.
    if (clock.now() - startedAt < 1_000) position.failures += 1;
  };

  const fail = (position: Position, error: unknown): number | undefined => {
    const reason = reasonOf(error);
    settings.metrics?.watchRestarts.inc({ resource: source.ref.plural, reason });
    log.warn({ err: error, reason, failures: position.failures + 1 }, 'watch restarts');
    position.failures += 1;
    if (isGone(error) || position.failures >= 2) position.resourceVersion = '';
    return error instanceof ApiError ? error.retryAfterMs : undefined;
  };

  const loop = async (): Promise<void> => {
    const position: Position = { resourceVersion: '', listedAt: 0, failures: 0 };
    while (!stopping.signal.aborted) {
      let asked: number | undefined;
      try {
        await step(position);
      } catch (error) {
        if (stopping.signal.aborted) break;
        asked = fail(position, error);
      }
      if (position.failures > 0) {
        const wait = Math.max(backoffMs(settings.backoff, position.failures), asked ?? 0);
        await sleep(clock, wait, stopping.signal);
      }
    }
    synced.reject(new Error(`the reflector of ${source.ref.plural} was stopped before its first list`));
  };
  const running = loop();

  return {
    store,
    synced: synced.promise,
    quietMs: () => clock.now() - lastResponseAt,
    subscribe: (handler) => {
      handlers.add(handler);
      for (const object of store.list()) notify(handler, { type: 'added', object });
      return () => handlers.delete(handler);
    },
    stop: () => {
      stopping.abort(new Error('reflector stopped'));
      return running;
    },
  };
}

interface Position {
  /** Empty if a list is needed first. */
  resourceVersion: string;
  listedAt: number;
  /** Since the last event. */
  failures: number;
}

type Emit<T extends KubeObject> = (change: Change<T>) => void;

function putOne<T extends KubeObject>(store: WritableStore<T>, object: Live<T>, emit: Emit<T>): void {
  const old = store.set(object);
  if (old === undefined) return emit({ type: 'added', object });
  if (old.metadata.uid !== object.metadata.uid) {
    // Deleted and created again between two watches: handlers must see the deletion.
    emit({ type: 'deleted', object: old });
    return emit({ type: 'added', object });
  }
  if (old.metadata.resourceVersion !== object.metadata.resourceVersion) emit({ type: 'modified', object, old });
}

function removeOne<T extends KubeObject>(store: WritableStore<T>, object: Live<T>, emit: Emit<T>): void {
  if (store.delete(keyOf(object)) !== undefined) emit({ type: 'deleted', object });
}

function replaceAll<T extends KubeObject>(store: WritableStore<T>, items: Live<T>[], emit: Emit<T>): void {
  const listed = new Set(items.map(keyOf));
  for (const key of store.keys()) {
    const gone = listed.has(key) ? undefined : store.delete(key);
    if (gone !== undefined) emit({ type: 'deleted', object: gone });
  }
  for (const object of items) putOne(store, object, emit);
}

function selectors({ labelSelector, fieldSelector }: Selectors): Selectors {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}

function dropManagedFields<T extends KubeObject>(object: Live<T>): Live<T> {
  const metadata: Live<T>['metadata'] & { managedFields?: unknown } = { ...object.metadata };
  delete metadata.managedFields;
  return { ...object, metadata };
}

function reasonOf(error: unknown): string {
  if (isGone(error)) return 'gone';
  if (error instanceof ApiError) return String(error.status);
  if (error instanceof WatchStale) return 'stale';
  return error instanceof WatchBroken ? 'broken' : 'lost';
}
