import { REASONS, type Reason } from '../../benchmark/outcome/outcome.ts';
import type { PodObject } from './pod-status.ts';

/**
 * Why the operator stopped a pod is written on the pod itself, by the same patch that stops it. An operator that was
 * killed in between finds the annotations and cannot attribute the end that it caused to anything else.
 */
export const STOP_REASON = 'claw-bench.com/stop-reason';
export const STOP_MESSAGE = 'claw-bench.com/stop-message';
export const STOP_TIME = 'claw-bench.com/stop-time';

export interface StopRequest {
  readonly reason: Reason;
  readonly message: string;
}

/**
 * Merge patch that stops a pod and honours its grace period. The object and its messages remain, which a DELETE would
 * lose.
 */
export function stopPatch(stopRequest: StopRequest, now: number): Record<string, unknown> {
  const when = new Date(now).toISOString();
  return {
    metadata: {
      annotations: { [STOP_REASON]: stopRequest.reason, [STOP_MESSAGE]: stopRequest.message, [STOP_TIME]: when },
    },
    spec: { activeDeadlineSeconds: 1 },
  };
}

/** The operator's own stop request as written on the pod; null: there is none. */
export function stopRequestOf(pod: PodObject): StopRequest | null {
  const written = pod.metadata.annotations?.[STOP_REASON];
  if (written === undefined) return null;
  const reason = REASONS.find((one) => one === written) ?? 'InternalError';
  return { reason, message: pod.metadata.annotations?.[STOP_MESSAGE] ?? 'The operator stopped the pod.' };
}
