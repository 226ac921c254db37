import type { ReconcilerDeps } from '../deps.ts';
import { usesModel } from '../harnesses.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { usageFromProgress } from '../progress/poll-progress.ts';
import type { Spending } from '../progress/usage-sum.ts';
import { inFlight } from './attempts.ts';
import { type PodObject, attemptNumber } from '../pod/pod-status.ts';

/** What a recorder says of its spending before there is a bill: it only grows, and is no more than a lower bound. */
export interface LiveUsage {
  /** 1-based number of the attempt under way. */
  readonly attempt: number;
  /** All that this attempt spent so far; not what earlier ones did. */
  readonly spent: Spending;
}

/** What the recorder of the attempt under way last said that it spent; null: nothing, or there is no model to call. */
export function liveUsageOf({ progress }: Source, run: Run, pods: readonly PodObject[]): LiveUsage | null {
  return ofAttempt(run, pods, (uid) => {
    const answer = progress.of(uid);
    return answer === undefined ? undefined : usageFromProgress(answer);
  });
}

/** The same as far as the run's status is to show it now. */
export function publishableUsageOf({ progress }: Source, run: Run, pods: readonly PodObject[]): LiveUsage | null {
  return ofAttempt(run, pods, (uid) => progress.publishable(uid));
}

type Source = Pick<ReconcilerDeps, 'progress'>;

function ofAttempt(
  run: Run,
  pods: readonly PodObject[],
  spentBy: (podUID: string) => Spending | undefined,
): LiveUsage | null {
  if (!usesModel(run.spec.harness)) return null;
  const attempt = inFlight(run.status ?? {}, pods);
  const uid = pods.find((pod) => attemptNumber(pod) === attempt)?.metadata.uid;
  const spent = uid === undefined ? undefined : spentBy(uid);
  return attempt === null || spent === undefined ? null : { attempt, spent };
}
