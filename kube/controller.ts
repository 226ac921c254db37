import type { Logger } from 'pino';
import type { Backoff } from './backoff.ts';
import { systemClock, type Clock } from './clock.ts';
import type { KubeMetrics } from './metrics.ts';
import type { KubeObject, Live } from './object.ts';
import { createQueue, type Requeue, type WorkQueue } from './queue.ts';
import type { Reflector } from './reflector.ts';

/** A reflector and the keys to reconcile when one of its objects changes. Created by {@link watching}. */
export interface Watching {
  readonly synced: Promise<void>;
  feed(add: (key: string) => void): () => void;
}

/**
 * Maps changes of the reflector's objects to keys: the object's own or that of its owner.
 * @param keys called with the object and, for a modification, with its previous state, since a child that moved concerns
 *   both owners
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
   * Reconciles the object of the key. Level-triggered: it may be called at any time, also for objects that no longer
   * exist. If it throws, it is repeated after a back-off.
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
  /** Resolves when all reflectors are synced and work has started; rejects if one was stopped before. */
  readonly started: Promise<void>;
  /** Starts no new work and waits for running work. */
  stop(): Promise<void>;
}

/** Reflectors → keys → queue → `reconcile`. Starts when all stores are synced, since missing objects look deleted. */
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
