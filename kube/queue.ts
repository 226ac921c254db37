import { backoffMs, type Backoff } from './backoff.ts';
import { systemClock, type Clock, type TimerHandle } from './clock.ts';
import type { KubeMetrics } from './metrics.ts';

/**
 * A queue of keys to look at, not of events: a key waits at most once, is never worked on twice at the same time, and
 * one that is added while it is worked on is worked on again afterwards. This is what makes level-triggered
 * reconciliation safe: whoever adds a key after a change knows that a later look will see it.
 */
export interface QueueOptions {
  /** Label of the metrics. */
  readonly name: string;
  /** One look at a key. Throwing puts the key back after a back-off; `signal` is aborted by `stop`. */
  readonly process: (key: string, signal: AbortSignal) => Promise<Requeue | void>;
  /** Keys worked on at once. Default 1. */
  readonly concurrency?: number;
  /** Per key, for consecutive failures. Default 5 ms to 5 min. */
  readonly backoff?: Backoff;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly metrics?: KubeMetrics;
  readonly onError?: (key: string, error: unknown, retryInMs: number) => void;
}

/** Look again after this time although nothing failed. */
export interface Requeue {
  readonly requeueAfterMs?: number;
}

export interface WorkQueue {
  add(key: string): void;
  /** Adds later. Of several delays of one key the earliest counts. */
  addAfter(key: string, ms: number): void;
  /** Nothing is worked on before this. */
  start(): void;
  /** Takes no more keys, works off what is ready, forgets what is delayed. */
  drain(): Promise<void>;
  /** Takes no more keys, forgets all that wait, aborts the signal, waits for the running ones. */
  stop(): Promise<void>;
  /** Keys ready and waiting. */
  readonly length: number;
  /** Keys worked on now. */
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

  /** Insertion order is the order of work; the value is when it was added. */
  const ready = new Map<string, number>();
  /** Value: when work began. */
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
      // A reporter that fails must not cost the key its place.
    }
  };

  const end = async (next: 'draining' | 'stopped'): Promise<void> => {
    if (state === 'stopped' || state === next) return whenIdle();
    for (const { timer } of delayed.values()) clock.clearTimeout(timer);
    delayed.clear();
    // A queue that was never started has nothing it may finish.
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
