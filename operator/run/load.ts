import { podName } from '../../benchmark/protocol/names.ts';
import { PODS, type Pod } from '../../kube/kinds.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { BY_OWNER, BY_RUN, type Cluster } from '../deps.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { inFlight } from './attempts.ts';
import { batchFacts } from './batch-facts.ts';
import { mayAct } from '../pod/attempt-state.ts';
import type { RunInput } from './decide.ts';
import { type PodObject, attemptNumber } from '../pod/pod-status.ts';
import { heardOf, shownOf } from './live-usage.ts';
import { usesModel } from '../harnesses.ts';
import { prefixOf, type Place } from './run-config.ts';

/** What a run's reconcile works on. A standalone run is seen as its own batch. */
export interface RunContext {
  readonly run: Live<Run>;
  readonly batch: Live<Batch>;
  readonly place: Place;
  /** Creates what a pod of the run needs. */
  readonly beforePod?: () => Promise<void>;
}

/** Everything that the decision about a run depends on. */
export async function loadRun(cluster: Cluster, { run, batch, place }: RunContext): Promise<RunInput> {
  const pods = await podsOf(cluster, run);
  const newest = pods.toSorted((left, right) => attemptNumber(right) - attemptNumber(left))[0];
  return {
    name: run.metadata.name,
    uid: run.metadata.uid,
    task: place.case,
    generation: run.metadata.generation ?? 0,
    status: run.status,
    cancel: run.spec.cancel || batch.spec.cancel,
    facts: batchFacts(batch),
    pods,
    missing: await missingOf(cluster, newest),
    namesake: namesakeOf(cluster, run),
    admitted: cluster.admitted.get(batch.metadata.uid)?.has(run.metadata.name) ?? false,
    prefix: prefixOf(run, batch.metadata.name, place),
    ...saidBy(cluster, newest, place),
    usesModel: usesModel(run.spec.harness),
    heard: heardOf(cluster, run, pods)?.spent ?? null,
    shown: shownOf(cluster, run, pods)?.spent ?? null,
    now: cluster.now(),
  };
}

/** What the newest pod's recorder says of its end, and of its task where the operator does not know. */
function saidBy(
  { progress }: Cluster,
  pod: PodObject | undefined,
  { timeLimitSeconds }: RunContext['place'],
): Pick<RunInput, 'closing' | 'timeLimitSeconds'> {
  if (pod === undefined) return { closing: null, timeLimitSeconds };
  const { uid } = pod.metadata;
  return {
    closing: progress.closing(uid),
    timeLimitSeconds: timeLimitSeconds ?? progress.of(uid)?.timeLimitSeconds ?? null,
  };
}

async function missingOf(cluster: Cluster, pod: PodObject | undefined): Promise<string | null> {
  const found = pod === undefined ? null : await cluster.mounts.missing(pod as Live<Pod>);
  return found?.sentence ?? null;
}

/** A pod that may still act of a run that was deleted and had this one's name. */
function namesakeOf(cluster: Cluster, { metadata }: Live<Run>): string | null {
  const others = cluster.pods.byIndex(BY_RUN, metadata.name).filter((pod) => controllerOf(pod)?.uid !== metadata.uid);
  return others.find((pod) => pod.metadata.namespace === metadata.namespace && mayAct(pod))?.metadata.name ?? null;
}

/**
 * The run's pods as last seen. Before the pod of the attempt under way is taken for deleted, the server itself is asked:
 * a cache that has not seen a new pod yet must not end its attempt.
 */
async function podsOf(cluster: Cluster, run: Live<Run>): Promise<PodObject[]> {
  const pods: Live<Pod>[] = cluster.pods.byIndex(BY_OWNER, run.metadata.uid);
  const number = inFlight(run.status ?? {}, pods);
  if (number === null || pods.some((pod) => attemptNumber(pod) === number)) return pods;
  const found = await resource(cluster.client, PODS, run.metadata.namespace).find(podName(run.metadata.name, number));
  return found !== null && controllerOf(found)?.uid === run.metadata.uid ? [...pods, found] : pods;
}
