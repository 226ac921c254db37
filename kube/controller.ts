import type { Logger } from 'pino';
import type { Backoff } from './backoff.ts';
import { systemClock, type Clock } from './clock.ts';
import type { KubeMetrics } from './metrics.ts';
import type { KubeObject, Live } from './object.ts';
import { createQueue, type Requeue, type WorkQueue } from './queue.ts';
import type { Reflector } from './reflector.ts';

/** A reflector and the keys to look at when one of its objects changes. Made by {@link watching}. */
export interface Watching {
  readonly synced: Promise<void>;
  feed(add: (key: string) => void): () => void;
}

/**
 * Changes of the reflector's objects, mapped to keys: the object's own, or its owner's.
 * @param keys gets the object as it is and, on a change, as it was: a child that moved concerns both owners.
 */
export function watching<T extends KubeObject>(
  reflector: Reflector<T>,
  keys: (object: Live<T>) => readonly string[],
): Watching {
  return {
    synced: reflector.synced,
    feed: (add) =>
      reflector.subscribe(({ object, old }) => {
        const all = new Set([...keys(object), ...(old === undefined ? [] : keys(old))]);
        for (const key of all) add(key);
      }),
  };
}

export interface ControllerOptions {
  /** Label of the metrics. */
  readonly name: string;
  readonly watches: readonly Watching[];
  /**
   * Looks at the object behind the key and brings the world nearer to what it should be. Level-triggered: it may be
   * called at any time, for objects that are gone too. Throwing repeats it after a back-off.
   */
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<Requeue | void>;
  readonly concurrency?: number;
  readonly backoff?: Backoff;
  readonly log: Logger;
  readonly metrics?: KubeMetrics;
  readonly clock?: Clock;
}

export interface Controller {
  readonly queue: WorkQueue;
  /** Resolves when all reflectors are synced and work has begun; rejects when one was stopped before. */
  readonly started: Promise<void>;
  /** No new work; waits for what runs. */
  stop(): Promise<void>;
}

/** Reflectors → keys → queue → `reconcile`. Works only once every store is whole: half a store looks like deletions. */
export function startController(options: ControllerOptions): Controller {
  const { name, log, metrics } = options;
  const clock = options.clock ?? systemClock;
  const queue = createQueue({
    name,
    clock,
    process: async (key, signal) => {
      const startedAt = clock.now();
      const count = (result: string): void => {
        metrics?.reconciles.inc({ controller: name, result });
        metrics?.reconcileSeconds.observe({ controller: name }, (clock.now() - startedAt) / 1000);
      };
      try {
        const requeue = await options.reconcile(key, signal);
        count(requeue?.requeueAfterMs === undefined ? 'success' : 'requeue_after');
        return requeue;
      } catch (error) {
        count('error');
        throw error;
      }
    },
    onError: (key, error, retryInMs) => log.warn({ controller: name, key, err: error, retryInMs }, 'reconcile failed'),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.backoff === undefined ? {} : { backoff: options.backoff }),
    ...(metrics === undefined ? {} : { metrics }),
  });
  const unsubscribe = options.watches.map((watch) => watch.feed((key) => queue.add(key)));
  const started = Promise.all(options.watches.map((watch) => watch.synced)).then(() => queue.start());
  started.catch(() => undefined);
  return {
    queue,
    started,
    stop: async () => {
      for (const end of unsubscribe) end();
      await queue.stop();
    },
  };
}
