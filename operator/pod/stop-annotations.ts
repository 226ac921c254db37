import { REASONS, type Reason } from '../../benchmark/outcome/outcome.ts';
import type { PodObject } from './pod-status.ts';

/**
 * Why the operator stopped a pod stands on the pod itself, written by the very patch that stops it: an operator that
 * is killed in between finds the mark and cannot blame anybody else for the end it caused.
 */
export const STOP_REASON = 'claw-bench.com/stop-reason';
export const STOP_MESSAGE = 'claw-bench.com/stop-message';
export const STOP_TIME = 'claw-bench.com/stop-time';

export interface StopRequest {
  readonly reason: Reason;
  readonly message: string;
}

/** Merge patch that ends a pod with its grace honoured and its object and messages kept (a DELETE loses them). */
export function stopPatch(stopRequest: StopRequest, now: number): Record<string, unknown> {
  const when = new Date(now).toISOString();
  return {
    metadata: {
      annotations: { [STOP_REASON]: stopRequest.reason, [STOP_MESSAGE]: stopRequest.message, [STOP_TIME]: when },
    },
    spec: { activeDeadlineSeconds: 1 },
  };
}

/** The operator's own stop as written on the pod, or null. */
export function stopRequestOf(pod: PodObject): StopRequest | null {
  const written = pod.metadata.annotations?.[STOP_REASON];
  if (written === undefined) return null;
  const reason = REASONS.find((one) => one === written) ?? 'InternalError';
  return { reason, message: pod.metadata.annotations?.[STOP_MESSAGE] ?? 'The operator stopped the pod.' };
}
