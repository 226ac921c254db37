import type { Cluster } from '../deps.ts';
import { usesModel } from '../harnesses.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { liveUsage } from '../progress/poll-progress.ts';
import type { Spent } from '../progress/usage-sum.ts';
import { inFlight } from './attempts.ts';
import { type PodObject, attemptNumber } from '../pod/pod-status.ts';

/** What a recorder says of its spending before there is a bill: it only grows, and is no more than a lower bound. */
export interface Heard {
  /** 1-based number of the attempt under way. */
  readonly attempt: number;
  /** All that this attempt spent so far; not what earlier ones did. */
  readonly spent: Spent;
}

/** What the recorder of the attempt under way last said that it spent; null: nothing, or there is no model to call. */
export function heardOf({ progress }: Source, run: Run, pods: readonly PodObject[]): Heard | null {
  return ofAttempt(run, pods, (uid) => {
    const answer = progress.of(uid);
    return answer === undefined ? undefined : liveUsage(answer);
  });
}

/** The same as far as the run's status is to show it now. */
export function shownOf({ progress }: Source, run: Run, pods: readonly PodObject[]): Heard | null {
  return ofAttempt(run, pods, (uid) => progress.shown(uid));
}

type Source = Pick<Cluster, 'progress'>;

function ofAttempt(run: Run, pods: readonly PodObject[], spentBy: (podUID: string) => Spent | undefined): Heard | null {
  if (!usesModel(run.spec.harness)) return null;
  const attempt = inFlight(run.status ?? {}, pods);
  const uid = pods.find((pod) => attemptNumber(pod) === attempt)?.metadata.uid;
  const spent = uid === undefined ? undefined : spentBy(uid);
  return attempt === null || spent === undefined ? null : { attempt, spent };
}
