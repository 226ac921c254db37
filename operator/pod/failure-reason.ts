import type { Reason } from '../../benchmark/outcome/outcome.ts';
import { statusMessage } from '../status-message.ts';
import { pendingReason } from './pending-reason.ts';
import {
  allStatuses,
  containerStatus,
  podCondition,
  type ContainerStatus,
  type PodObject,
  type TerminatedState,
} from './pod-status.ts';

/** Why a pod ended without a report: always an infrastructure failure, never the agent's. */
export interface PodFailure {
  readonly reason: Reason;
  readonly message: string;
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

/**
 * The kubelet uses the same reason for a pod that exceeds its own storage limit and for a node that runs out of disk.
 * The first is the run's own failure.
 */
const OWN_STORAGE = /exceed(s|ed) .*(ephemeral|limit of)/i;

/** The disruption that the cluster recorded on the pod; null: there is none. */
export function disruptionFailure(pod: PodObject): PodFailure | null {
  const { reason: word = '', message: detail = 'no detail given' } = disruptionSource(pod);
  const reason = OWN_STORAGE.test(detail) ? 'DiskFull' : DISRUPTIONS[word];
  if (reason === undefined) return null;
  return { reason, message: statusMessage(`The cluster removed the pod (${word}): ${detail}`) };
}

/** The kubelet's own eviction has its details in the pod's status; every other disruption only in the condition. */
function disruptionSource(pod: PodObject): { readonly reason?: string; readonly message?: string } {
  const target = podCondition(pod, 'DisruptionTarget');
  const own = pod.status ?? {};
  return target?.status === 'True' && own.reason !== 'Evicted' ? target : own;
}

/**
 * A container that the kernel killed for memory. On cgroup v2 the whole container dies. On cgroup v1 only the child
 * does, and the container may exit with code 0 and still have the reason `OOMKilled` (both seen). So the reason
 * decides, not the code.
 */
export function outOfMemoryFailure(pod: PodObject): PodFailure | null {
  for (const status of allStatuses(pod)) {
    const end = [status.state?.terminated, status.lastState?.terminated].find((one) => one?.reason === 'OOMKilled');
    if (end !== undefined) {
      return {
        reason: 'OutOfMemory',
        message: `Container ${status.name} ran out of memory: raise its limit in spec.podTemplate.`,
      };
    }
  }
  return null;
}

/** The best explanation for a pod that has ended and left no readable outcome. */
export function podFailure(pod: PodObject): PodFailure {
  return disruptionFailure(pod) ?? outOfMemoryFailure(pod) ?? restarted(pod) ?? neverStarted(pod) ?? ended(pod);
}

function restarted(pod: PodObject): PodFailure | null {
  const recorder = containerStatus(pod, 'recorder');
  if ((recorder?.restartCount ?? 0) > 0)
    return { reason: 'RecorderRestarted', message: `The recorder died (${exit(recorder)}).` };
  const browser = containerStatus(pod, 'browser');
  if ((browser?.restartCount ?? 0) > 0)
    return { reason: 'BrowserRestarted', message: `The browser container died (${exit(browser)}).` };
  const models = containerStatus(pod, 'models');
  if ((models?.restartCount ?? 0) > 0)
    return { reason: 'ModelGatewayFailed', message: `The model gateway died (${exit(models)}).` };
  return null;
}

/** The kubelet's reasons for a main container whose program could not be executed. */
const START_ERRORS = new Set(['StartError', 'ContainerCannotRun', 'ContainerStatusUnknown']);

function neverStarted(pod: PodObject): PodFailure | null {
  const end = containerStatus(pod, 'harness')?.state?.terminated;
  if (end === undefined) return pendingFailure(pod);
  if (!START_ERRORS.has(end.reason ?? '')) return null;
  return {
    reason: 'HarnessStartFailed',
    message: statusMessage(`The harness did not start: ${end.message ?? end.reason ?? ''}`),
  };
}

function pendingFailure(pod: PodObject): PodFailure | null {
  return containerStatus(pod, 'recorder')?.state?.waiting === undefined ? null : pendingReason(pod);
}

function ended(pod: PodObject): PodFailure {
  const harness = containerStatus(pod, 'harness')?.state?.terminated;
  if (harness !== undefined) {
    return { reason: 'PodFailed', message: `The harness container ended without an outcome (${words(harness)}).` };
  }
  const detail = pod.status?.message ?? pod.status?.reason ?? 'no reason given';
  return { reason: 'PodFailed', message: statusMessage(`The pod ended before the harness ran: ${detail}`) };
}

function exit(status: ContainerStatus | undefined): string {
  const end = status?.lastState?.terminated ?? status?.state?.terminated;
  return end === undefined ? 'no exit status' : words(end);
}

function words(end: TerminatedState): string {
  return `exit code ${String(end.exitCode)}${end.reason === undefined ? '' : `, ${end.reason}`}`;
}
