import type { Reason } from '../../benchmark/outcome/outcome.ts';
import { statusMessage } from '../status-message.ts';
import { allStatuses, podCondition, type ContainerStatus, type PodObject } from './pod-status.ts';

/** Why a pod has not started: a message for people, and the outcome's reason if it never starts. */
export interface PendingReason {
  readonly reason: Reason;
  readonly message: string;
  /** Kueue or another scheduling gate holds the pod in a queue; no deadline runs. */
  readonly gated: boolean;
  /** Something has failed, as opposed to not being ready yet. */
  readonly stuck: boolean;
}

const IMAGE_REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
]);
/** The kubelet's reasons for a container that could not be created; the message names the missing object. */
const CREATE_REASONS = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PreCreateHookError',
]);

/**
 * The cluster says why a pod waits in five places; people should read one sentence. The most specific wins: scheduling
 * gate, scheduler, image, container creation, then what is in progress.
 */
export function pendingReason(pod: PodObject): PendingReason {
  const scheduled = podCondition(pod, 'PodScheduled');
  if (scheduled?.reason === 'SchedulingGated') {
    return {
      reason: 'PodStartTimeout',
      gated: true,
      stuck: false,
      message: 'The pod waits in a queue: it has a scheduling gate.',
    };
  }
  if (scheduled?.status === 'False') {
    const why = statusMessage(scheduled.message ?? scheduled.reason ?? 'no reason given');
    return { reason: 'Unschedulable', gated: false, stuck: true, message: `The pod cannot be scheduled: ${why}` };
  }
  if (pod.spec?.nodeName === undefined) {
    return { reason: 'PodStartTimeout', gated: false, stuck: false, message: 'Waiting for the scheduler.' };
  }
  return containerReason(pod, pod.spec.nodeName);
}

function containerReason(pod: PodObject, node: string): PendingReason {
  const waiting = allStatuses(pod).filter((status) => status.state?.waiting !== undefined);
  const image = waiting.find((status) => IMAGE_REASONS.has(status.state?.waiting?.reason ?? ''));
  if (image !== undefined) {
    const text = `The image ${image.image ?? '?'} of container ${image.name} cannot be pulled on ${node}: ${why(image)}`;
    return { reason: 'ImagePullFailed', gated: false, stuck: true, message: text };
  }
  const rejected = waiting.find((status) => CREATE_REASONS.has(status.state?.waiting?.reason ?? ''));
  if (rejected !== undefined) return containerNotCreated(rejected, node);
  const next = waiting[0];
  const text =
    next === undefined
      ? `Waiting for the kubelet on ${node}.`
      : `Container ${next.name} is starting on ${node} (volumes, sandbox, image).`;
  return { reason: 'PodStartTimeout', gated: false, stuck: false, message: text };
}

/** The seccomp profile is the one thing that a node must have for ClawBench, so its absence comes with a remedy. */
function containerNotCreated(status: ContainerStatus, node: string): PendingReason {
  const text = `Container ${status.name} cannot be created on ${node}: ${why(status)}`;
  if (!/seccomp/i.test(text)) return { reason: 'PodStartTimeout', gated: false, stuck: true, message: text };
  const remedy = 'Install the seccomp profile on the node (chart value seccomp), or set browser.isolation to DoorOnly.';
  return { reason: 'IsolationUnavailable', gated: false, stuck: true, message: `${text} ${remedy}` };
}

function why(status: ContainerStatus): string {
  const waiting = status.state?.waiting;
  const reason = waiting?.reason ?? 'unknown reason';
  return statusMessage(waiting?.message === undefined ? reason : `${reason}, ${waiting.message}`);
}

/** The reason to stop a pod that has an image that cannot be pulled; null: there is none. */
export function imagePullFailure(pod: PodObject): { readonly reason: Reason; readonly message: string } | null {
  const { reason, message } = pendingReason(pod);
  return reason === 'ImagePullFailed' ? { reason, message } : null;
}
