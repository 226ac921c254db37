import type { OwnerReference } from '../../kube/object.ts';
import { ATTEMPT_LABEL } from '../labels.ts';
import { parseTime } from '../timestamps.ts';

/**
 * The part of a Pod that the operator reads, as JSON from the API server (timestamps are RFC 3339 text). Narrow on
 * purpose: what is not here has no part in a decision.
 */
export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: TerminatedState;
}
export interface TerminatedState {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string | null;
  readonly finishedAt?: string | null;
}
export interface ContainerStatus {
  readonly name: string;
  readonly image?: string;
  readonly imageID?: string;
  readonly restartCount?: number;
  readonly started?: boolean;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}
export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}
export interface PodObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion?: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly spec?: { readonly nodeName?: string; readonly activeDeadlineSeconds?: number };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly podIP?: string;
    readonly conditions?: readonly PodCondition[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

/** Status of an init or main container; undefined while the kubelet has not reported it. */
export function containerStatus(pod: PodObject, name: string): ContainerStatus | undefined {
  return allStatuses(pod).find((status) => status.name === name);
}

/** Init containers first, as they start. */
export function allStatuses(pod: PodObject): readonly ContainerStatus[] {
  return [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
}

export function podCondition(pod: PodObject, type: string): PodCondition | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type);
}

/**
 * When the pod was asked to stop: by a DELETE (the API server stores the time of the request plus the grace period) or
 * by the disruption condition. Null: it was not.
 */
export function disruptedAt(pod: PodObject): number | null {
  const deletion = parseTime(pod.metadata.deletionTimestamp);
  const asked = deletion === null ? null : deletion - (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const target = podCondition(pod, 'DisruptionTarget');
  const disrupted = target?.status === 'True' ? parseTime(target.lastTransitionTime) : null;
  if (asked === null) return disrupted;
  return disrupted === null ? asked : Math.min(asked, disrupted);
}

/** When a container first started; null: it has not. */
export function startedAt(status: ContainerStatus | undefined): number | null {
  if (status === undefined) return null;
  return startOf(status.lastState) ?? startOf(status.state);
}

function startOf(state: ContainerState | undefined): number | null {
  return parseTime(state?.terminated?.startedAt) ?? parseTime(state?.running?.startedAt);
}

/** Number of the attempt that a pod belongs to, from its label; 0 for a pod without the label, which is not a run's. */
export function attemptNumber(pod: PodObject): number {
  const number = Number(pod.metadata.labels?.[ATTEMPT_LABEL] ?? '0');
  return Number.isInteger(number) && number > 0 ? number : 0;
}
