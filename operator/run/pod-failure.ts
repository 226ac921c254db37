import type { Reason } from '../../benchmark/outcome.ts';
import {
  allStatuses,
  containerStatus,
  podCondition,
  type ContainerStatus,
  type PodObject,
  type Terminated,
} from './pod-object.ts';
import { pendingReason, sentence } from './pending-reason.ts';

/** Why a pod ended without telling us: always infrastructure, never the agent's fault. */
export interface PodFailure {
  readonly reason: Reason;
  readonly sentence: string;
}

/** Reasons of the `DisruptionTarget` condition (pod-lifecycle documentation) and of `status.reason`. */
const DISRUPTIONS: Readonly<Record<string, Reason>> = {
  PreemptionByScheduler: 'Evicted',
  EvictionByEvictionAPI: 'Evicted',
  TerminationByKubelet: 'Evicted',
  Evicted: 'Evicted',
  Preempting: 'Evicted',
  DeletionByTaintManager: 'NodeLost',
  DeletionByPodGC: 'NodeLost',
  NodeLost: 'NodeLost',
  NodeShutdown: 'NodeLost',
  Terminated: 'NodeLost',
  Shutdown: 'NodeLost',
};

/** The disruption that the cluster recorded on the pod, or null. */
export function disruption(pod: PodObject): PodFailure | null {
  const target = podCondition(pod, 'DisruptionTarget');
  const word = target?.status === 'True' ? target.reason : pod.status?.reason;
  const reason = DISRUPTIONS[word ?? ''];
  if (reason === undefined) return null;
  const detail = target?.message ?? pod.status?.message ?? '';
  return {
    reason,
    sentence: sentence(`The cluster removed the pod (${word ?? ''}): ${detail === '' ? 'no detail given' : detail}`),
  };
}

/**
 * A container that the kernel killed for memory. On cgroup v2 the whole container dies; on cgroup v1 only the child
 * does, and a container may end with exit code 0 and the reason `OOMKilled` all the same (both seen), so the reason
 * decides, not the code.
 */
export function outOfMemory(pod: PodObject): PodFailure | null {
  for (const status of allStatuses(pod)) {
    const end = [status.state?.terminated, status.lastState?.terminated].find((one) => one?.reason === 'OOMKilled');
    if (end !== undefined) {
      return {
        reason: 'OutOfMemory',
        sentence: `Container ${status.name} ran out of memory: raise its limit in spec.podTemplate.`,
      };
    }
  }
  return null;
}

/** The best explanation for a pod that is over and left no readable outcome. */
export function podFailure(pod: PodObject): PodFailure {
  return disruption(pod) ?? outOfMemory(pod) ?? restarted(pod) ?? neverStarted(pod) ?? ended(pod);
}

function restarted(pod: PodObject): PodFailure | null {
  const recorder = containerStatus(pod, 'recorder');
  if ((recorder?.restartCount ?? 0) > 0)
    return { reason: 'RecorderRestarted', sentence: `The recorder died (${exit(recorder)}).` };
  const browser = containerStatus(pod, 'browser');
  if ((browser?.restartCount ?? 0) > 0)
    return { reason: 'BrowserRestarted', sentence: `The browser container died (${exit(browser)}).` };
  return null;
}

/** Kubelet's words for a main container whose program could not be executed at all. */
const START_ERRORS = new Set(['StartError', 'ContainerCannotRun', 'ContainerStatusUnknown']);

function neverStarted(pod: PodObject): PodFailure | null {
  const harness = containerStatus(pod, 'harness');
  const end = harness?.state?.terminated;
  if (end === undefined) {
    if (containerStatus(pod, 'recorder')?.state?.waiting === undefined) return null;
    return pendingReason(pod);
  }
  if (!START_ERRORS.has(end.reason ?? '')) return null;
  return {
    reason: 'HarnessStartFailed',
    sentence: sentence(`The harness did not start: ${end.message ?? end.reason ?? ''}`),
  };
}

function ended(pod: PodObject): PodFailure {
  const harness = containerStatus(pod, 'harness')?.state?.terminated;
  if (harness !== undefined) {
    return { reason: 'PodFailed', sentence: `The harness container ended without an outcome (${words(harness)}).` };
  }
  const detail = pod.status?.message ?? pod.status?.reason ?? 'no reason given';
  return { reason: 'PodFailed', sentence: sentence(`The pod ended before the harness ran: ${detail}`) };
}

function exit(status: ContainerStatus | undefined): string {
  const end = status?.lastState?.terminated ?? status?.state?.terminated;
  return end === undefined ? 'no exit status' : words(end);
}

function words(end: Terminated): string {
  return `exit code ${String(end.exitCode)}${end.reason === undefined ? '' : `, ${end.reason}`}`;
}
