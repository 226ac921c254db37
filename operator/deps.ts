import type { Logger } from 'pino';
import type { TaskRow } from '../benchmark/protocol/job-messages.ts';
import type { Batch, Run } from '../kube/clawbench-kinds.ts';
import type { KubeClient } from '../kube/client.ts';
import type { EventRecorder } from '../kube/events.ts';
import type { Job, Pod } from '../kube/kinds.ts';
import type { Live } from '../kube/object.ts';
import type { Store } from '../kube/store.ts';
import type { Images } from './config.ts';
import type { OperatorMetrics } from './metrics.ts';
import type { ConfigMapCheck } from './pod/missing-config-map.ts';
import type { ProgressTable } from './progress/poll-progress.ts';

/** Indexes of the stores. */
export const BY_OWNER = 'owner';
export const BY_BATCH_UID = 'batchUID';
export const BY_RUN = 'run';

/** Everything that the reconcilers act through. Created once by `controllers.ts`; tests build their own. */
export interface ReconcilerDeps {
  readonly client: KubeClient;
  readonly batches: Store<Batch>;
  /** Indexes {@link BY_BATCH_UID}. */
  readonly runs: Store<Run>;
  /** Indexes {@link BY_OWNER} (the run or the Job) and {@link BY_RUN} (the name in a run's label). */
  readonly pods: Store<Pod>;
  readonly jobs: Store<Job>;
  readonly tasks: TaskLists;
  /**
   * The runs of each batch (by UID) that may have a pod now. Written by the batch reconciler, read by the run
   * reconciler.
   */
  readonly admitted: Map<string, ReadonlySet<string>>;
  /** Adds a run's key to the run controller's queue. */
  readonly wakeRun: (key: string) => void;
  readonly progress: ProgressTable;
  readonly configMapCheck: ConfigMapCheck;
  readonly images: Images;
  readonly events: EventRecorder;
  readonly metrics: OperatorMetrics;
  readonly log: Logger;
  readonly now: () => number;
}

/** The task lists of batches. Each is read once, because it is immutable. */
export interface TaskLists {
  /** Null: it does not exist, or it belongs to another batch. */
  of(batch: Live<Batch>): Promise<readonly TaskRow[] | null>;
  forget(uid: string): void;
}
