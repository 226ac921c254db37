import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Job } from '../../kube/kinds.ts';
import { finishedCondition } from '../job/job-finished.ts';
import { mayAct } from '../pod/attempt-state.ts';
import type { PodObject } from '../pod/pod-status.ts';
import { parseTime } from '../timestamps.ts';

/** What to do about the sweep Job of an attempt. */
export type SweepDecision =
  | { readonly do: 'wait' }
  /** The attempt has ended, and its recorder did not report that the mailbox is gone: resume the Job. */
  | { readonly do: 'resume' }
  /** Somebody else resumed it although the mailbox may be in use. */
  | { readonly do: 'suspend' }
  /** It has succeeded. */
  | { readonly do: 'delete' }
  /** It has failed for good: the mailbox may still exist. */
  | { readonly do: 'reportFailure'; readonly message: string };

export interface SweepFacts {
  readonly job: Job;
  readonly attempt: number;
  /** Status of its run; null: run or batch are gone or being deleted, so there will be no further attempt. */
  readonly run: ClawBenchRunStatus | null;
  /** The attempt's pod; null: there is none. */
  readonly pod: PodObject | null;
  readonly now: number;
}

/**
 * What to do about a sweep Job, from plain data. It may run only when nothing can use the mailbox any more: no Pod that
 * acts, and no attempt in progress or to come. Whether the mailbox exists is not checked, because removing one that is
 * gone succeeds. Confirm `resume` and `suspend` with the Pod from the API server: the cache may be old.
 */
export function decideSweep(facts: SweepFacts): SweepDecision {
  const end = finishedDecision(facts.job);
  if (end !== undefined) return end;
  const runs = facts.job.spec?.suspend !== true;
  if (isMailboxInUse(facts)) return { do: runs ? 'suspend' : 'wait' };
  return { do: runs ? 'wait' : 'resume' };
}

function finishedDecision(job: Job): SweepDecision | undefined {
  const end = finishedCondition(job);
  if (end === undefined) return undefined;
  return end.type === 'Complete'
    ? { do: 'delete' }
    : { do: 'reportFailure', message: end.message ?? end.reason ?? end.type };
}

function isMailboxInUse({ attempt, run, pod, now }: SweepFacts): boolean {
  return (run !== null && isUnfinished(run, attempt)) || (pod !== null && mayUseMailbox(pod, now));
}

/** The attempt is in progress or still to come. */
function isUnfinished({ outcome, attempt: last = 0, attempts = [] }: ClawBenchRunStatus, attempt: number): boolean {
  if (outcome !== undefined) return false;
  if (attempt > last) return true;
  const entry = attempts.find((one) => one.number === attempt);
  return entry !== undefined && entry.outcome === undefined;
}

/** After `deletionTimestamp`, which is the end of the grace period: its node does not respond. */
const LOST_SLACK_MS = 60_000;

function mayUseMailbox(pod: PodObject, now: number): boolean {
  const gone = parseTime(pod.metadata.deletionTimestamp);
  return mayAct(pod) && (gone === null || now < gone + LOST_SLACK_MS);
}
