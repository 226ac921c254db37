import { podName } from '../../benchmark/names.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { controllerOf, keyOf, type Live } from '../../kube/object.ts';
import type { Requeue } from '../../kube/queue.ts';
import { PODS, type Pod } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';
import { BY_OWNER, type Cluster } from '../cluster.ts';
import { RUNS, type Batch, type Run } from '../kinds.ts';
import { isFinalising } from '../progress.ts';
import { writeStatus } from '../write-status.ts';
import { carryOutRun } from './act.ts';
import { attemptOf, inFlight } from './attempts.ts';
import { batchFacts } from './batch-facts.ts';
import { decideRun, type RunDecision, type RunInput } from './decide.ts';
import { withCondition } from './observe.ts';
import type { PodObject } from './pod-object.ts';
import { placeOf, prefixOf, type Place } from './run-config.ts';
import { tellRun } from './tell.ts';

/** Look at a run whose write was refused again when the newer object has surely arrived. */
const STALE_MS = 500;

/** Brings one run nearer to its end: load, decide, act, write the status once, tell. */
export function createRunReconciler(cluster: Cluster): (key: string) => Promise<Requeue | void> {
  const runs = resource(cluster.client, RUNS);
  return async (key) => {
    const run = cluster.runs.get(key);
    if (run === undefined || run.metadata.deletionTimestamp !== undefined) return;
    if (run.spec.batchRef === undefined) return refuseHandMade(cluster, run);
    const batch = batchOf(cluster, run);
    if (batch === null) return;
    const place = placeOf(run, (await cluster.tasks.of(batch)) ?? []);
    if (place === null) return;

    const input = await load(cluster, run, batch, place);
    const decision = await carryOutRun(cluster, { run, batch, place }, decideRun(input));
    const written = await writeStatus(runs, run, decision.status);
    if (written.result === 'stale') return { requeueAfterMs: STALE_MS };
    if (written.result === 'written') tellRun(cluster, run, written.object, batch.spec.suite.name);
    return requeue(decision, cluster.now());
  };
}

/** The run's batch, if it made this run and lives; a run that only claims to be of a batch is nobody's. */
function batchOf(cluster: Cluster, run: Live<Run>): Live<Batch> | null {
  const batch = cluster.batches.get(
    keyOf({ metadata: { namespace: run.metadata.namespace ?? '', name: run.spec.batchRef?.name ?? '' } }),
  );
  if (batch === undefined || batch.metadata.deletionTimestamp !== undefined) return null;
  const { uid } = batch.metadata;
  return run.spec.batchRef?.uid === uid && controllerOf(run)?.uid === uid ? batch : null;
}

async function load(cluster: Cluster, run: Live<Run>, batch: Live<Batch>, place: Place): Promise<RunInput> {
  const pods = await podsOf(cluster, run);
  const newest = pods.toSorted((left, right) => attemptOf(right) - attemptOf(left))[0];
  return {
    name: run.metadata.name,
    generation: run.metadata.generation ?? 0,
    status: run.status,
    cancel: run.spec.cancel || batch.spec.cancel,
    facts: batchFacts(batch),
    pods,
    admitted: cluster.admitted.get(batch.metadata.uid)?.has(run.metadata.name) ?? false,
    timeLimitSeconds: place.row.timeLimitSeconds,
    prefix: prefixOf(run, batch.metadata.name, place),
    finalising: newest !== undefined && isFinalising(cluster.progress.of(newest.metadata.uid)),
    now: cluster.now(),
  };
}

/**
 * The run's pods as last seen. Before the pod of the attempt under way is taken for deleted, the server itself is asked:
 * a cache that has not seen a new pod yet must not end its attempt.
 */
async function podsOf(cluster: Cluster, run: Live<Run>): Promise<PodObject[]> {
  const pods: Live<Pod>[] = cluster.pods.byIndex(BY_OWNER, run.metadata.uid);
  const number = inFlight(run.status ?? {}, pods);
  if (number === null || pods.some((pod) => attemptOf(pod) === number)) return pods;
  const found = await resource(cluster.client, PODS, run.metadata.namespace).find(podName(run.metadata.name, number));
  return found !== null && controllerOf(found)?.uid === run.metadata.uid ? [...pods, found] : pods;
}

/** Not built yet; said rather than ignored. */
async function refuseHandMade(cluster: Cluster, run: Live<Run>): Promise<void> {
  const message =
    'spec.batchRef is missing: this version runs only the runs of a ClawBenchBatch, so create a batch with this one task.';
  const moment = { generation: run.metadata.generation ?? 0, now: cluster.now() };
  const status: ClawBenchRunStatus = { ...run.status, observedGeneration: moment.generation };
  const refused = withCondition(
    status,
    { type: 'Accepted', status: 'False', reason: 'UnsupportedField', message },
    moment,
  );
  const next = withCondition(refused, { type: 'Complete', status: 'False', reason: 'NotAccepted', message }, moment);
  await writeStatus(resource(cluster.client, RUNS), run, next);
}

function requeue(decision: RunDecision, now: number): Requeue | void {
  if (decision.checkAt !== null) return { requeueAfterMs: Math.max(50, decision.checkAt - now) };
}
