import { backoffMs, type Backoff } from './backoff.ts';
import { systemClock, type Clock, type TimerHandle } from './clock.ts';
import type { KubeMetrics } from './metrics.ts';

/**
 * A queue of keys, not of events: a key is in the queue at most once, is never processed twice at the same time, and is
 * processed again if it is added while it is in progress. This makes level-triggered reconciliation safe: a key that is
 * added after a change is processed after that change.
 */
export interface QueueOptions {
  /** Label of the metrics. */
  readonly name: string;
  /** Processes a key. If it throws, the key is added again after a back-off. `stop` aborts the signal. */
  readonly process: (key: string, signal: AbortSignal) => Promise<Requeue | void>;
  /** Maximum number of keys in progress. Default 1. */
  readonly concurrency?: number;
  /** Per key, for consecutive failures. Default 5 ms to 5 min. */
  readonly backoff?: Backoff;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly metrics?: KubeMetrics;
  readonly onError?: (key: string, error: unknown, retryInMs: number) => void;
}

/** Process the key again after this time without a failure. */
export interface Requeue {
  readonly requeueAfterMs?: number;
}

export interface WorkQueue {
  add(key: string): void;
  /** Adds the key later. If a key has several delays, the earliest applies. */
  addAfter(key: string, ms: number): void;
  /** Starts processing. */
  start(): void;
  /** Accepts no more keys, processes those that are ready, and drops those that are delayed. */
  drain(): Promise<void>;
  /** Accepts no more keys, drops all that wait, aborts the signal, and waits for keys in progress. */
  stop(): Promise<void>;
  /** Number of keys that are ready. */
  readonly length: number;
  /** Number of keys in progress. */
  readonly active: number;
}

interface Delayed {
  readonly dueAt: number;
  readonly timer: TimerHandle;
}

const DEFAULT_BACKOFF = { baseMs: 5, capMs: 300_000 };

/** Created paused; see {@link WorkQueue.start}. */
export function createQueue(options: QueueOptions): WorkQueue {
  const { name, process, onError } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const backoff = options.backoff ?? DEFAULT_BACKOFF;
  const concurrency = options.concurrency ?? 1;
  const metrics = options.metrics?.queue;

  /** Insertion order is processing order; the value is the time when the key was added. */
  const ready = new Map<string, number>();
  /** The value is the time when processing started. */
  const running = new Map<string, number>();
  const again = new Set<string>();
  const delayed = new Map<string, Delayed>();
  const failures = new Map<string, number>();
  const idle = new Set<() => void>();
  const stopping = new AbortController();
  let state: 'paused' | 'working' | 'draining' | 'stopped' = 'paused';
  metrics?.observeRunning(name, () => [...running.values()].map((since) => (clock.now() - since) / 1000));

  const accepts = (): boolean => state === 'paused' || state === 'working';

  const add = (key: string): void => {
    if (!accepts() || ready.has(key) || again.has(key)) return;
    metrics?.adds.inc({ name });
    if (running.has(key)) again.add(key);
    else enqueue(key);
  };

  const enqueue = (key: string): void => {
    ready.set(key, clock.now());
    metrics?.depth.set({ name }, ready.size);
    pump();
  };

  const addAfter = (key: string, ms: number): void => {
    if (!accepts()) return;
    if (ms <= 0) return add(key);
    const dueAt = clock.now() + ms;
    const earlier = delayed.get(key);
    if (earlier !== undefined && earlier.dueAt <= dueAt) return;
    if (earlier !== undefined) clock.clearTimeout(earlier.timer);
    const timer = clock.setTimeout(() => {
      delayed.delete(key);
      add(key);
    }, ms);
    delayed.set(key, { dueAt, timer });
  };

  const pump = (): void => {
    if (state === 'paused' || state === 'stopped') return;
    for (const [key, since] of ready) {
      if (running.size >= concurrency) return;
      ready.delete(key);
      metrics?.depth.set({ name }, ready.size);
      metrics?.waitSeconds.observe({ name }, (clock.now() - since) / 1000);
      running.set(key, clock.now());
      void work(key);
    }
  };

  const work = async (key: string): Promise<void> => {
    const startedAt = clock.now();
    try {
      const requeue = await process(key, stopping.signal);
      failures.delete(key);
      if (requeue?.requeueAfterMs !== undefined) addAfter(key, requeue.requeueAfterMs);
    } catch (error) {
      retry(key, error);
    }
    running.delete(key);
    metrics?.workSeconds.observe({ name }, (clock.now() - startedAt) / 1000);
    if (again.delete(key) && state !== 'stopped') enqueue(key);
    pump();
    if (running.size > 0 || ready.size > 0) return;
    for (const resolve of idle) resolve();
    idle.clear();
  };

  const retry = (key: string, error: unknown): void => {
    const count = (failures.get(key) ?? 0) + 1;
    failures.set(key, count);
    const wait = backoffMs(backoff, count, random);
    metrics?.retries.inc({ name });
    addAfter(key, wait);
    try {
      onError?.(key, error, wait);
    } catch {
      // An error in the handler must not lose the key.
    }
  };

  const end = async (next: 'draining' | 'stopped'): Promise<void> => {
    if (state === 'stopped' || state === next) return whenIdle();
    for (const { timer } of delayed.values()) clock.clearTimeout(timer);
    delayed.clear();
    // A queue that was never started has no work to finish.
    state = state === 'paused' ? 'stopped' : next;
    if (state === 'stopped') {
      ready.clear();
      again.clear();
      stopping.abort(new Error(`queue ${name} stopped`));
    }
    metrics?.depth.set({ name }, ready.size);
    pump();
    await whenIdle();
  };

  const whenIdle = (): Promise<void> =>
    running.size === 0 && ready.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          idle.add(resolve);
        });

  return {
    add,
    addAfter,
    start: () => {
      if (state === 'paused') state = 'working';
      pump();
    },
    drain: () => end('draining'),
    stop: () => end('stopped'),
    get length() {
      return ready.size;
    },
    get active() {
      return running.size;
    },
  };
}
