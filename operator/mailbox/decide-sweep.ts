import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Job } from '../../kube/kinds.ts';
import { mayAct } from '../run/classify.ts';
import { time, type PodObject } from '../run/pod-object.ts';

/** What is to be done about the sweep Job of an attempt. */
export type SweepVerdict =
  | { readonly do: 'wait' }
  /** The attempt is over, and its recorder did not say that the mailbox is gone. */
  | { readonly do: 'release' }
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

export function decideSweep(facts: SweepFacts): SweepVerdict {
  const end = endOf(facts.job);
  if (end !== undefined) return end;
  return facts.job.spec?.suspend !== true || mayHaveUser(facts) ? { do: 'wait' } : { do: 'release' };
}

function endOf({ status }: Job): SweepVerdict | undefined {
  const end = status?.conditions?.find((one) => ENDS.includes(one.type) && one.status === 'True');
  if (end === undefined) return undefined;
  return end.type === 'Complete' ? { do: 'delete' } : { do: 'tell', message: end.message ?? end.reason ?? end.type };
}

function mayHaveUser({ attempt, run, pod, now }: SweepFacts): boolean {
  return (run !== null && isAhead(run, attempt)) || (pod !== null && isAtWork(pod, now));
}

const ENDS = ['Complete', 'Failed'];

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
  const gone = time(pod.metadata.deletionTimestamp);
  return mayAct(pod) && (gone === null || now < gone + LOST_SLACK_MS);
}
