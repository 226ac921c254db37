import type { Job } from '../../kube/kinds.ts';
import { finishedCondition } from './job-finished.ts';
import { containerStatus, disruptedAt, type PodObject, type Terminated } from '../pod/pod-status.ts';
import { pendingReason } from '../pod/pending-reason.ts';
import { disruption, outOfMemory } from '../pod/failure-reason.ts';
import { JOB_CONTAINER } from './build-job.ts';
import { parseTime } from '../timestamps.ts';
import { statusMessage } from '../status-message.ts';

/** How one of our one-pod Jobs stands. */
export type JobState<T> =
  /** `waiting`: why its pod does not start; null when it works. `since`: when the Job was made. */
  | {
      readonly state: 'Active';
      readonly waiting: string | null;
      readonly since: number;
      /** When its pod, which was told to end, is given up on; epoch ms. */
      readonly lostAt?: number;
      /** When to look again for what its pod waits for, of which nobody tells; epoch ms. */
      readonly recheckAt?: number;
    }
  | { readonly state: 'Done'; readonly message: T }
  /** Over without a readable message. */
  | { readonly state: 'Failed'; readonly message: string };

/** After a pod's grace is over: kubelet reports within seconds, unless the node is gone. */
const LOST_SLACK_MS = 30_000;

/**
 * From the pod's termination message, not from the Job's conditions (they come seconds later and cannot say what was
 * found). Null for a Job that is gone from the server.
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

/** Its time limit is over: the Job controller ends the pod, which says nothing then. */
function overdue(job: Job): string | null {
  const over = job.status?.conditions?.some((one) => one.reason === 'DeadlineExceeded' && one.status === 'True');
  const limit = String(job.spec?.activeDeadlineSeconds ?? 0);
  return over === true
    ? `The Job did not finish within ${limit} s; the next one continues with what is missing.`
    : null;
}

/** Until when a pod that was told to end may take; null: nobody told it. */
function lostAt(pod: PodObject | null): number | null {
  const asked = pod === null ? null : disruptedAt(pod);
  if (pod === null || asked === null) return null;
  return asked + (pod.metadata.deletionGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000 + LOST_SLACK_MS;
}

const DEFAULT_GRACE_SECONDS = 30;

/** On a lost node nobody ends the pod and nobody reports it: the batch must not wait for the node. */
function gone(pod: PodObject | null, now: number): string | null {
  if (pod === null) return null;
  const lost = lostAt(pod);
  if (pod.status?.reason !== 'NodeLost' && (lost === null || now < lost)) return null;
  return statusMessage(
    `Node ${pod.spec?.nodeName ?? '?'} does not respond: the Job's pod was asked to stop and did not`,
  );
}

function endOf(pod: PodObject | null): Terminated | undefined {
  return pod === null ? undefined : containerStatus(pod, JOB_CONTAINER)?.state?.terminated;
}

function podFailed(pod: PodObject | null, end: Terminated | undefined): string | null {
  if (pod === null) return null;
  return end !== undefined || pod.status?.phase === 'Failed' ? failure(pod, end) : null;
}

/** The Job is over and its pod, with the message, is not there any more. */
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

function failure(pod: PodObject, end: Terminated | undefined): string {
  const known = disruption(pod) ?? outOfMemory(pod);
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
