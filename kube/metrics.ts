import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/**
 * The metric names that stock dashboards for client-go and controller-runtime expect, so that nobody has to write new
 * ones for us. No label holds the name of an object.
 */
export interface KubeMetrics {
  readonly requests: Counter<'code' | 'method' | 'host'>;
  readonly reconciles: Counter<'controller' | 'result'>;
  readonly reconcileSeconds: Histogram<'controller'>;
  readonly leader: Gauge<'name'>;
  readonly watchRestarts: Counter<'resource' | 'reason'>;
  readonly queue: QueueMetrics;
}

export interface QueueMetrics {
  readonly depth: Gauge<'name'>;
  readonly adds: Counter<'name'>;
  readonly retries: Counter<'name'>;
  readonly waitSeconds: Histogram<'name'>;
  readonly workSeconds: Histogram<'name'>;
  /** Asked at scrape time: seconds each running key has been worked on. */
  observeRunning(name: string, runningSeconds: () => readonly number[]): void;
}

/** Client-go's buckets: 10 ns to 10 s there; here from 1 ms, which is what a JavaScript queue can resolve. */
const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** Registers all metrics of this folder. Call once per registry: a second call throws. */
export function createKubeMetrics(registry: Registry): KubeMetrics {
  const registers = [registry];
  return {
    requests: new Counter({
      registers,
      name: 'rest_client_requests_total',
      help: 'Requests to the API server by status code ("<error>": no answer), method and host.',
      labelNames: ['code', 'method', 'host'],
    }),
    reconciles: new Counter({
      registers,
      name: 'controller_runtime_reconcile_total',
      help: 'Reconciliations by controller and result (success, error, requeue_after).',
      labelNames: ['controller', 'result'],
    }),
    reconcileSeconds: new Histogram({
      registers,
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Duration of one reconciliation.',
      labelNames: ['controller'],
      buckets: SECONDS,
    }),
    leader: new Gauge({
      registers,
      name: 'leader_election_master_status',
      help: '1 when this process holds the lease.',
      labelNames: ['name'],
    }),
    watchRestarts: new Counter({
      registers,
      name: 'clawbench_watch_restarts_total',
      help: 'Watches that ended other than by their own time limit (gone, stale, error, broken).',
      labelNames: ['resource', 'reason'],
    }),
    queue: createQueueMetrics(registers),
  };
}

function createQueueMetrics(registers: Registry[]): QueueMetrics {
  const labelNames = ['name'] as const;
  const running = new Map<string, () => readonly number[]>();
  const runningGauge = (name: string, help: string, reduce: (seconds: readonly number[]) => number): Gauge<'name'> =>
    new Gauge({
      registers,
      name,
      help,
      labelNames,
      collect(): void {
        for (const [queue, seconds] of running) this.set({ name: queue }, reduce(seconds()));
      },
    });
  runningGauge('workqueue_unfinished_work_seconds', 'Seconds of work in progress, summed over running keys.', (all) =>
    all.reduce((sum, seconds) => sum + seconds, 0),
  );
  runningGauge('workqueue_longest_running_processor_seconds', 'Age of the oldest running key.', (all) =>
    Math.max(0, ...all),
  );
  const histogram = (name: string, help: string): Histogram<'name'> =>
    new Histogram({ registers, name, help, labelNames, buckets: SECONDS });
  return {
    depth: new Gauge({ registers, name: 'workqueue_depth', help: 'Keys waiting.', labelNames }),
    adds: new Counter({ registers, name: 'workqueue_adds_total', help: 'Keys added.', labelNames }),
    retries: new Counter({
      registers,
      name: 'workqueue_retries_total',
      help: 'Keys added after a failure.',
      labelNames,
    }),
    waitSeconds: histogram('workqueue_queue_duration_seconds', 'Time a key waited before it was worked on.'),
    workSeconds: histogram('workqueue_work_duration_seconds', 'Time spent on a key.'),
    observeRunning: (name, runningSeconds) => void running.set(name, runningSeconds),
  };
}
