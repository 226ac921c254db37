import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Job } from '../../kube/kinds.ts';
import { finishedCondition } from '../job/job-finished.ts';
import { mayAct } from '../pod/attempt-state.ts';
import { type PodObject } from '../pod/pod-status.ts';
import { parseTime } from '../timestamps.ts';

/** What is to be done about the sweep Job of an attempt. */
export type SweepDecision =
  | { readonly do: 'wait' }
  /** The attempt is over, and its recorder did not say that the mailbox is gone. */
  | { readonly do: 'release' }
  /** Somebody else let it run although the mailbox may be in use. */
  | { readonly do: 'suspend' }
  /** It is done. */
  | { readonly do: 'delete' }
  /** It gave up: the mailbox may still be there. */
  | { readonly do: 'tell'; readonly message: string };

export interface SweepFacts {
  readonly job: Job;
  readonly attempt: number;
  /** Status of its run; null: run or batch are gone, or are being deleted, and nobody continues the run. */
  readonly run: ClawBenchRunStatus | null;
  /** The attempt's pod; null: there is none. */
  readonly pod: PodObject | null;
  readonly now: number;
}

/**
 * What is to be done about a sweep Job, from plain data. It runs only where nobody can use the mailbox any more: neither
 * a Pod that acts nor an attempt that is under way or to come. Whether the mailbox is there is not asked: removing what is
 * gone succeeds. `release` and `suspend` from a cache are to be asked again with the Pod as the API server has it.
 */
export function decideSweep(facts: SweepFacts): SweepDecision {
  const end = endOf(facts.job);
  if (end !== undefined) return end;
  const runs = facts.job.spec?.suspend !== true;
  if (mayHaveUser(facts)) return { do: runs ? 'suspend' : 'wait' };
  return { do: runs ? 'wait' : 'release' };
}

function endOf(job: Job): SweepDecision | undefined {
  const end = finishedCondition(job);
  if (end === undefined) return undefined;
  return end.type === 'Complete' ? { do: 'delete' } : { do: 'tell', message: end.message ?? end.reason ?? end.type };
}

function mayHaveUser({ attempt, run, pod, now }: SweepFacts): boolean {
  return (run !== null && isAhead(run, attempt)) || (pod !== null && isAtWork(pod, now));
}

/** The attempt is under way, or still to come. */
function isAhead({ outcome, attempt: last = 0, attempts = [] }: ClawBenchRunStatus, attempt: number): boolean {
  if (outcome !== undefined) return false;
  if (attempt > last) return true;
  const entry = attempts.find((one) => one.number === attempt);
  return entry !== undefined && entry.outcome === undefined;
}

/** After the end of its grace, which `deletionTimestamp` is: nobody answers on its node. */
const LOST_SLACK_MS = 60_000;

function isAtWork(pod: PodObject, now: number): boolean {
  const gone = parseTime(pod.metadata.deletionTimestamp);
  return mayAct(pod) && (gone === null || now < gone + LOST_SLACK_MS);
}
