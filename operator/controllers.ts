import type { Logger } from 'pino';
import { RUN_KIND } from '../crds/group.ts';
import { BATCHES, RUNS, type Batch, type Run } from '../kube/clawbench-kinds.ts';
import type { KubeClient } from '../kube/client.ts';
import { startController, watching, type Controller } from '../kube/controller.ts';
import type { EventRecorder } from '../kube/events.ts';
import { JOBS, PODS, type Job, type Pod } from '../kube/kinds.ts';
import type { KubeMetrics } from '../kube/metrics.ts';
import { controllerOf, keyOf, type KubeObject, type Live } from '../kube/object.ts';
import type { Requeue } from '../kube/queue.ts';
import { startReflector, type Reflector } from '../kube/reflector.ts';
import { resource } from '../kube/resource.ts';
import { byLabel, byOwnerUid } from '../kube/store.ts';
import { createBatchReconciler } from './batch/reconcile.ts';
import { createTaskLists } from './batch/task-lists.ts';
import type { OperatorConfig } from './config.ts';
import { BY_BATCH_UID, BY_OWNER, BY_RUN, type ReconcilerDeps } from './deps.ts';
import { BATCH_LABEL, MANAGED_BY_LABEL, OPERATOR_NAME, RUN_LABEL } from './labels.ts';
import { startSweeper } from './mailbox-cleanup/sweeper.ts';
import type { OperatorMetrics } from './metrics.ts';
import { createConfigMapCheck } from './pod/missing-config-map.ts';
import { startProgressPoller, type ProgressTarget } from './progress/poll-progress.ts';
import { batchFacts } from './run/batch-facts.ts';
import { createRunReconciler } from './run/reconcile.ts';
import { createStandaloneRunReconciler } from './standalone-run/reconcile.ts';

export interface OperatorParts {
  readonly client: KubeClient;
  readonly config: OperatorConfig;
  readonly events: EventRecorder;
  readonly metrics: OperatorMetrics;
  readonly kubeMetrics: KubeMetrics;
  readonly log: Logger;
}

export interface Operator {
  readonly started: Promise<void>;
  readonly runs: Reflector<Run>['store'];
  stop(): Promise<void>;
}

/**
 * Starts the reflectors, the two controllers, the mailbox sweeper and the progress poll. Call it once the lease is
 * held.
 */
export function startOperator(parts: OperatorParts): Operator {
  const { client, config, log, kubeMetrics, metrics } = parts;
  const reflectors = startReflectors(parts);
  const { batches, runs, pods, jobs } = reflectors;
  let runController: Controller | null = null;
  const wakeRun = (key: string): void => runController?.queue.add(key);
  const poller = startProgressPoller(
    () => progressTargets(pods.store.list()),
    (podUID) => {
      const pod = pods.store.list().find((one) => one.metadata.uid === podUID);
      for (const key of pod === undefined ? [] : runKeys(pod)) wakeRun(key);
    },
  );
  const deps: ReconcilerDeps = {
    client,
    batches: batches.store,
    runs: runs.store,
    pods: pods.store,
    jobs: jobs.store,
    tasks: createTaskLists(client),
    admitted: new Map(),
    wakeRun,
    progress: poller,
    configMapCheck: createConfigMapCheck(client, () => Date.now()),
    images: config.images,
    events: parts.events,
    metrics,
    log,
    now: () => Date.now(),
  };
  const common = { log, metrics: kubeMetrics };
  runController = startController({
    ...common,
    name: 'run',
    concurrency: 8,
    watches: [
      watching(runs, (run) => [keyOf(run)]),
      watching(pods, (pod) => [...runKeys(pod), ...jobOwnerKeys(pod)]),
      watching(jobs, runKeys),
    ],
    reconcile: createRunDispatcher(deps),
  });
  const batchController = startController({
    ...common,
    name: 'batch',
    concurrency: 4,
    watches: [
      watching(batches, (batch) => [keyOf(batch)]),
      watching(runs, ownerKeys),
      watching(jobs, ownerKeys),
      watching(pods, batchKeys),
    ],
    reconcile: createBatchReconciler(deps),
  });
  batches.subscribe(({ type, object, old }) => {
    if (type === 'deleted') return forgetBatchState(deps, object);
    if (old !== undefined && isUnchangedForRuns(old, object)) return;
    for (const run of runs.store.byIndex(BY_BATCH_UID, object.metadata.uid)) wakeRun(keyOf(run));
  });
  const started = Promise.all([runController.started, batchController.started]).then(() => undefined);
  const sweeper = startSweeper(deps, started);
  return {
    started,
    runs: runs.store,
    stop: async () => {
      poller.stop();
      await Promise.all([runController.stop(), batchController.stop(), sweeper.stop()]);
      await Promise.all([batches, runs, pods, jobs].map((reflector) => reflector.stop()));
    },
  };
}

/** A run without a batch is a standalone run; everything else about it is decided in standalone-run/. */
export function createRunDispatcher(deps: ReconcilerDeps): (key: string) => Promise<Requeue | void> {
  const ofBatch = createRunReconciler(deps);
  const standalone = createStandaloneRunReconciler(deps);
  return async (key) => {
    const run = deps.runs.get(key);
    if (run === undefined || run.metadata.deletionTimestamp !== undefined) return;
    return run.spec.batchRef === undefined ? standalone(run) : ofBatch(run);
  };
}

function startReflectors({ client, config, log, kubeMetrics }: OperatorParts): {
  batches: Reflector<Batch>;
  runs: Reflector<Run>;
  pods: Reflector<Pod>;
  jobs: Reflector<Job>;
} {
  const namespace = config.watchNamespace ?? undefined;
  const ours = { labelSelector: `${MANAGED_BY_LABEL}=${OPERATOR_NAME}` };
  const byOwner = { [BY_OWNER]: byOwnerUid };
  const common = { log, metrics: kubeMetrics };
  return {
    batches: startReflector(resource(client, BATCHES, namespace), common),
    runs: startReflector(resource(client, RUNS, namespace), { ...common, indexers: { [BY_BATCH_UID]: batchUidOf } }),
    pods: startReflector(resource(client, PODS, namespace), {
      ...common,
      ...ours,
      indexers: { ...byOwner, [BY_RUN]: byLabel(RUN_LABEL) },
    }),
    jobs: startReflector(resource(client, JOBS, namespace), { ...common, ...ours, indexers: byOwner }),
  };
}

function batchUidOf(run: Run): string[] {
  const uid = run.spec.batchRef?.uid;
  return uid === undefined ? [] : [uid];
}

/** Key of the object's controller owner, which is in the same namespace. */
function ownerKeys(object: KubeObject): string[] {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [`${object.metadata.namespace ?? ''}/${owner.name}`];
}

function runKeys(child: KubeObject): string[] {
  return controllerOf(child)?.kind === RUN_KIND ? ownerKeys(child) : [];
}

/** A Job's pod reports the outcome. The judge Job of a standalone run has the run's name in its batch label. */
function jobOwnerKeys(pod: KubeObject): string[] {
  return controllerOf(pod)?.kind === 'Job' ? batchKeys(pod) : [];
}

/** Every pod has its batch in a label: a Job's pod reports a result, and a run's pod frees a slot when it is gone. */
function batchKeys(pod: KubeObject): string[] {
  const batch = pod.metadata.labels?.[BATCH_LABEL];
  return batch === undefined ? [] : [`${pod.metadata.namespace ?? ''}/${batch}`];
}

/** Whether nothing has changed that a run's fate depends on. A batch's counts change with each of its runs. */
function isUnchangedForRuns(old: Live<Batch>, next: Live<Batch>): boolean {
  if (old.metadata.generation !== next.metadata.generation) return false;
  if ((old.status?.tasks === undefined) !== (next.status?.tasks === undefined)) return false;
  return batchFacts(old).ended === batchFacts(next).ended;
}

function forgetBatchState(deps: ReconcilerDeps, batch: Live<Batch>): void {
  const { uid, name, namespace = '' } = batch.metadata;
  deps.admitted.delete(uid);
  deps.tasks.forget(uid);
  deps.metrics.forgetBatch(namespace, name);
}

function progressTargets(pods: readonly Live<Pod>[]): ProgressTarget[] {
  return pods.flatMap((pod) => {
    const ip = pod.status?.podIP;
    // A pending pod counts too: the sidecars run before the harness does.
    const alive = ['Pending', 'Running'].includes(pod.status?.phase ?? '');
    const asked = ip !== undefined && alive && runKeys(pod).length > 0;
    return asked ? [{ podUID: pod.metadata.uid, ip }] : [];
  });
}
