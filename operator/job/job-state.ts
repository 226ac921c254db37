import type { Job } from '../../kube/kinds.ts';
import { disruptionFailure, outOfMemoryFailure } from '../pod/failure-reason.ts';
import { pendingReason } from '../pod/pending-reason.ts';
import { containerStatus, disruptedAt, type PodObject, type TerminatedState } from '../pod/pod-status.ts';
import { statusMessage } from '../status-message.ts';
import { parseTime } from '../timestamps.ts';
import { JOB_CONTAINER } from './build-job.ts';
import { finishedCondition } from './job-finished.ts';

/** The state of a one-pod Job. */
export type JobState<T> =
  /** `waiting`: why its pod does not start; null when it is running. `since`: when the Job was created. */
  | {
      readonly state: 'Active';
      readonly waiting: string | null;
      readonly since: number;
      /** When a pod that was asked to stop is considered lost, milliseconds since the epoch. */
      readonly lostAt?: number;
      /** When to re-check what its pod waits for, because no event announces it; milliseconds since the epoch. */
      readonly recheckAt?: number;
    }
  | { readonly state: 'Done'; readonly message: T }
  /** Finished without a readable message. */
  | { readonly state: 'Failed'; readonly message: string };

/** Added to a pod's grace period: the kubelet reports within seconds, unless the node is gone. */
const LOST_SLACK_MS = 30_000;

/**
 * From the pod's termination message, not from the Job's conditions, which come seconds later and cannot say what was
 * found. `job` is null when the server no longer has it.
 */
export function jobState<T>(
  job: Job | null,
  pod: PodObject | null,
  parse: (value: unknown) => T | null,
  now: number,
): JobState<T> {
  if (job === null) return { state: 'Failed', message: 'The Job was deleted before it reported a result.' };
  const end = endOf(pod);
  const message = parseMessage(end?.message, parse);
  if (message !== null) return { state: 'Done', message };
  const failed = overdue(job) ?? podFailed(pod, end) ?? jobOver(job) ?? gone(pod, now);
  if (failed !== null) return { state: 'Failed', message: failed };
  return active(job, pod);
}

function active(job: Job, pod: PodObject | null): JobState<never> {
  const since = parseTime(job.metadata.creationTimestamp) ?? 0;
  const lost = lostAt(pod);
  return { state: 'Active', waiting: waiting(pod), since, ...(lost === null ? {} : { lostAt: lost }) };
}

/** The Job exceeded its time limit: the Job controller stops the pod, which then reports nothing. */
function overdue(job: Job): string | null {
  const over = job.status?.conditions?.some((one) => one.reason === 'DeadlineExceeded' && one.status === 'True');
  const limit = String(job.spec?.activeDeadlineSeconds ?? 0);
  return over === true
    ? `The Job did not finish within ${limit} s; the next one continues with what is missing.`
    : null;
}

/** When a pod that was asked to stop is considered lost; null: it was not asked. */
function lostAt(pod: PodObject | null): number | null {
  const asked = pod === null ? null : disruptedAt(pod);
  if (pod === null || asked === null) return null;
  return asked + (pod.metadata.deletionGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000 + LOST_SLACK_MS;
}

const DEFAULT_GRACE_SECONDS = 30;

/** On a lost node nothing stops the pod or reports its end; the batch must not wait for that node. */
function gone(pod: PodObject | null, now: number): string | null {
  if (pod === null) return null;
  const lost = lostAt(pod);
  if (pod.status?.reason !== 'NodeLost' && (lost === null || now < lost)) return null;
  return statusMessage(
    `Node ${pod.spec?.nodeName ?? '?'} does not respond: the Job's pod was asked to stop and did not`,
  );
}

function endOf(pod: PodObject | null): TerminatedState | undefined {
  return pod === null ? undefined : containerStatus(pod, JOB_CONTAINER)?.state?.terminated;
}

function podFailed(pod: PodObject | null, end: TerminatedState | undefined): string | null {
  if (pod === null) return null;
  return end !== undefined || pod.status?.phase === 'Failed' ? failure(pod, end) : null;
}

/** The Job has finished and its pod, with the message, is gone. */
function jobOver(job: Job): string | null {
  const over = finishedCondition(job);
  return over === undefined
    ? null
    : statusMessage(`The Job's pod is gone: ${over.message ?? over.reason ?? over.type}`);
}

function waiting(pod: PodObject | null): string | null {
  if (pod === null) return 'The pod has not been created yet.';
  return containerStatus(pod, JOB_CONTAINER)?.state?.running === undefined ? pendingReason(pod).message : null;
}

function failure(pod: PodObject, end: TerminatedState | undefined): string {
  const known = disruptionFailure(pod) ?? outOfMemoryFailure(pod);
  if (known !== null) return known.message;
  if (end === undefined) return statusMessage(`The Job's pod failed: ${pod.status?.message ?? 'no reason given'}`);
  return statusMessage(
    `The Job's program exited with code ${String(end.exitCode)} and no message: ${end.message ?? end.reason ?? 'see its log'}`,
  );
}

function parseMessage<T>(text: string | undefined, parse: (value: unknown) => T | null): T | null {
  if (text === undefined || !text.startsWith('{')) return null;
  try {
    return parse(JSON.parse(text));
  } catch {
    return null;
  }
}
