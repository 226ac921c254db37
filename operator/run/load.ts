import { podName } from '../../benchmark/protocol/names.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { PODS, type Pod } from '../../kube/kinds.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { BY_OWNER, BY_RUN, type ReconcilerDeps } from '../deps.ts';
import { usesModel } from '../harnesses.ts';
import { mayAct } from '../pod/attempt-state.ts';
import { attemptNumber, type PodObject } from '../pod/pod-status.ts';
import { attemptInProgress } from './attempts.ts';
import { batchFacts } from './batch-facts.ts';
import type { RunInput } from './decide.ts';
import { liveUsageOf, publishedUsageOf } from './live-usage.ts';
import { runPrefixOf, type TaskEntry } from './run-config.ts';

/** What a run's reconcile works on. A standalone run is seen as its own batch. */
export interface RunContext {
  readonly run: Live<Run>;
  readonly batch: Live<Batch>;
  readonly taskEntry: TaskEntry;
  /** Creates what a pod of the run needs. */
  readonly beforePod?: () => Promise<void>;
}

/** Everything that the decision about a run depends on. */
export async function loadRun(deps: ReconcilerDeps, { run, batch, taskEntry }: RunContext): Promise<RunInput> {
  const pods = await podsOf(deps, run);
  const newest = pods.toSorted((left, right) => attemptNumber(right) - attemptNumber(left))[0];
  return {
    name: run.metadata.name,
    uid: run.metadata.uid,
    task: taskEntry.case,
    generation: run.metadata.generation ?? 0,
    status: run.status,
    cancel: run.spec.cancel || batch.spec.cancel,
    facts: batchFacts(batch),
    pods,
    missing: await missingConfigMapOf(deps, newest),
    namesake: namesakeOf(deps, run),
    admitted: deps.admitted.get(batch.metadata.uid)?.has(run.metadata.name) ?? false,
    prefix: runPrefixOf(run, batch.metadata.name, taskEntry),
    ...reportedByRecorder(deps, newest, taskEntry),
    usesModel: usesModel(run.spec.harness),
    liveUsage: liveUsageOf(deps, run, pods)?.spent ?? null,
    publishedUsage: publishedUsageOf(deps, run, pods)?.spent ?? null,
    now: deps.now(),
  };
}

/** What the newest pod's recorder reports about its end, and about its task where the operator does not know it. */
function reportedByRecorder(
  { progress }: ReconcilerDeps,
  pod: PodObject | undefined,
  { timeLimitSeconds }: RunContext['taskEntry'],
): Pick<RunInput, 'finalising' | 'timeLimitSeconds'> {
  if (pod === undefined) return { finalising: null, timeLimitSeconds };
  const { uid } = pod.metadata;
  return {
    finalising: progress.finalising(uid),
    timeLimitSeconds: timeLimitSeconds ?? progress.of(uid)?.timeLimitSeconds ?? null,
  };
}

async function missingConfigMapOf(deps: ReconcilerDeps, pod: PodObject | undefined): Promise<string | null> {
  const found = pod === undefined ? null : await deps.configMapCheck.missing(pod as Live<Pod>);
  return found?.message ?? null;
}

/** A pod that may still act, of a deleted run with this run's name. */
function namesakeOf(deps: ReconcilerDeps, { metadata }: Live<Run>): string | null {
  const others = deps.pods.byIndex(BY_RUN, metadata.name).filter((pod) => controllerOf(pod)?.uid !== metadata.uid);
  return others.find((pod) => pod.metadata.namespace === metadata.namespace && mayAct(pod))?.metadata.name ?? null;
}

/**
 * The run's pods as last seen. Before the pod of the attempt in progress counts as deleted, the server itself is asked:
 * a cache that has not seen a new pod yet must not end its attempt.
 */
async function podsOf(deps: ReconcilerDeps, run: Live<Run>): Promise<PodObject[]> {
  const pods: Live<Pod>[] = deps.pods.byIndex(BY_OWNER, run.metadata.uid);
  const number = attemptInProgress(run.status ?? {}, pods);
  if (number === null || pods.some((pod) => attemptNumber(pod) === number)) return pods;
  const found = await resource(deps.client, PODS, run.metadata.namespace).find(podName(run.metadata.name, number));
  return found !== null && controllerOf(found)?.uid === run.metadata.uid ? [...pods, found] : pods;
}
