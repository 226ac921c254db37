import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/**
 * The metric names that existing dashboards for client-go and controller-runtime expect. No label contains the name of an
 * object.
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
  /** Called at scrape time: seconds that each key has been in progress. */
  observeRunning(name: string, runningSeconds: () => readonly number[]): void;
}

/** client-go's buckets are 10 ns to 10 s. These start at 1 ms, the resolution of a JavaScript queue. */
const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** Registers all metrics of this folder. Call once per registry: a second call throws. */
export function createKubeMetrics(registry: Registry): KubeMetrics {
  const registers = [registry];
  return {
    requests: new Counter({
      registers,
      name: 'rest_client_requests_total',
      help: 'Requests to the API server by status code ("<error>" for no response), method and host.',
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
      help: 'Duration of a reconciliation in seconds.',
      labelNames: ['controller'],
      buckets: SECONDS,
    }),
    leader: new Gauge({
      registers,
      name: 'leader_election_master_status',
      help: '1 if this process is the leader.',
      labelNames: ['name'],
    }),
    watchRestarts: new Counter({
      registers,
      name: 'clawbench_watch_restarts_total',
      help: 'Watches that ended for a reason other than their time limit (gone, stale, error, broken).',
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
  runningGauge(
    'workqueue_unfinished_work_seconds',
    'Seconds of work in progress, summed over all keys in progress.',
    (all) => all.reduce((sum, seconds) => sum + seconds, 0),
  );
  runningGauge(
    'workqueue_longest_running_processor_seconds',
    'Seconds that the longest-running key has been in progress.',
    (all) => Math.max(0, ...all),
  );
  const histogram = (name: string, help: string): Histogram<'name'> =>
    new Histogram({ registers, name, help, labelNames, buckets: SECONDS });
  return {
    depth: new Gauge({ registers, name: 'workqueue_depth', help: 'Number of keys waiting.', labelNames }),
    adds: new Counter({ registers, name: 'workqueue_adds_total', help: 'Number of keys added.', labelNames }),
    retries: new Counter({
      registers,
      name: 'workqueue_retries_total',
      help: 'Number of keys added again after a failure.',
      labelNames,
    }),
    waitSeconds: histogram('workqueue_queue_duration_seconds', 'Seconds that a key waited in the queue.'),
    workSeconds: histogram('workqueue_work_duration_seconds', 'Seconds spent processing a key.'),
    observeRunning: (name, runningSeconds) => void running.set(name, runningSeconds),
  };
}
